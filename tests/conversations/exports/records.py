"""Health records as clinics and phones write them, small ones. All names are invented."""

import json

LOINC, SNOMED = "http://loinc.org", "http://snomed.info/sct"


def concept(display, code="1", system=SNOMED):
    return {"coding": [{"system": system, "code": code, "display": display}]}


def status(code):
    return {"coding": [{"code": code}]}


PATIENT = {
    "resourceType": "Patient",
    "id": "p",
    "name": [{"use": "official", "family": "Berg", "given": ["Emma", "Li"]}],
    "birthDate": "2019-04-02",
}
RESOURCES = [
    PATIENT,
    {"resourceType": "Encounter", "id": "e", "status": "finished"},
    {
        "resourceType": "AllergyIntolerance",
        "clinicalStatus": status("active"),
        "verificationStatus": status("confirmed"),
        "code": concept("Penicillin V (substance)"),
        "recordedDate": "2021-03-01T08:00:00+01:00",
        "reaction": [{"manifestation": [concept("Hives (disorder)")]}],
    },
    {
        "resourceType": "AllergyIntolerance",
        "verificationStatus": status("refuted"),
        "code": concept("Egg"),
    },
    {
        "resourceType": "AllergyIntolerance",
        "code": concept("No known allergy", "716186003"),
    },
    {
        "resourceType": "Medication",
        "id": "m1",
        "code": concept("Salbutamol 100 ug inhaler"),
    },
    {
        "resourceType": "MedicationRequest",
        "status": "active",
        "intent": "order",
        "medicationReference": {"reference": "urn:uuid:m1"},
        "authoredOn": "2024-01-05",
        "dosageInstruction": [{"text": "2 puffs as needed"}],
    },
    {
        "resourceType": "MedicationRequest",
        "status": "stopped",
        "medicationCodeableConcept": {"text": "Amoxicillin 250 mg"},
        "authoredOn": "2023-01-05T10:00:00Z",
    },
    {
        "resourceType": "Condition",
        "clinicalStatus": status("active"),
        "code": concept("Asthma (disorder)"),
        "onsetDateTime": "2022-05-02",
    },
    {
        "resourceType": "Condition",
        "clinicalStatus": status("resolved"),
        "code": concept("Otitis media"),
        "onsetDateTime": "2020-01-02",
        "abatementDateTime": "2020-01-20",
    },
    {
        "resourceType": "Observation",
        "status": "final",
        "category": [concept("Laboratory", "laboratory")],
        "code": concept("Hemoglobin [Mass/volume] in Blood", "718-7", LOINC),
        "effectiveDateTime": "2024-03-01T08:00:00Z",
        "valueQuantity": {"value": 13.2, "unit": "g/dL"},
    },
    {
        "resourceType": "Observation",
        "status": "final",
        "category": [concept("Vital signs", "vital-signs")],
        "code": concept("Blood pressure panel", "85354-9", LOINC),
        "effectiveDateTime": "2024-03-02",
        "component": [
            {
                "code": concept("Diastolic", "8462-4", LOINC),
                "valueQuantity": {"value": 64, "unit": "mm[Hg]"},
            },
            {
                "code": concept("Systolic", "8480-6", LOINC),
                "valueQuantity": {"value": 101, "unit": "mm[Hg]"},
            },
        ],
    },
    {
        "resourceType": "Observation",
        "status": "final",
        "category": [concept("Survey", "survey")],
        "code": concept("Stress level"),
        "valueCodeableConcept": concept("Not at all"),
    },
    {
        "resourceType": "Immunization",
        "status": "completed",
        "vaccineCode": concept("MMR", "03", "http://hl7.org/fhir/sid/cvx"),
        "occurrenceDateTime": "2020-04-09",
    },
]


def bundle(*resources, kind="collection"):
    entries = [
        {"fullUrl": f"urn:uuid:{resource.get('id', n)}", "resource": resource}
        for n, resource in enumerate(resources)
    ]
    return {"resourceType": "Bundle", "type": kind, "entry": entries}


FHIR = json.dumps(bundle(*RESOURCES))
FHIR_FACTS = {
    "User is allergic to Penicillin V (Hives)",
    "User takes Salbutamol 100 ug inhaler (2 puffs as needed) since 2024-01-05",
    "User took Amoxicillin 250 mg (2023-01-05)",
    "User has Asthma since 2022-05-02",
    "User had Otitis media from 2020-01-02 until 2020-01-20",
    "Hemoglobin [Mass/volume] in Blood: 13.2 g/dL on 2024-03-01",
    "Blood pressure: 101/64 mmHg on 2024-03-02",
    "User was vaccinated: MMR on 2020-04-09",
}

CDA = """\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="CDA.xsl"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <title>Continuity of Care</title>
 <recordTarget><patientRole><patient>
  <name use="L"><given>Leo</given><family>Berg</family></name><birthTime value="19710203"/>
 </patient></patientRole></recordTarget>
 <component><structuredBody>
  <component><section><code code="48765-2"/><title>Allergies</title><text>Table</text>
   <entry><act><effectiveTime><low value="20100101"/></effectiveTime><entryRelationship>
    <observation classCode="OBS" moodCode="EVN"><statusCode code="completed"/>
     <effectiveTime><low value="20100512"/></effectiveTime>
     <value xsi:type="CD" code="419511003" displayName="Drug allergy"/>
     <participant><participantRole><playingEntity>
      <code code="7980" displayName="Penicillin G"/></playingEntity></participantRole></participant>
     <entryRelationship><observation>
      <templateId root="2.16.840.1.113883.10.20.22.4.9"/>
      <value xsi:type="CD" displayName="Hives"/></observation></entryRelationship>
    </observation></entryRelationship></act></entry>
   <entry><act><entryRelationship>
    <observation negationInd="true"><participant><participantRole><playingEntity>
     <code displayName="Latex"/></playingEntity></participantRole></participant>
    </observation></entryRelationship></act></entry></section></component>
  <component><section><code code="10160-0"/><text>Table</text>
   <entry><substanceAdministration classCode="SBADM" moodCode="EVN">
    <statusCode code="active"/><effectiveTime xsi:type="IVL_TS"><low value="2019"/></effectiveTime>
    <doseQuantity value="20" unit="mg"/>
    <consumable><manufacturedProduct><manufacturedMaterial>
     <code nullFlavor="UNK"><originalText><reference value="#med1"/></originalText></code>
    </manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration></entry>
   </section></component>
  <component><section><code code="11450-4"/><text><content ID="med1">Lisinopril</content></text>
   <entry><act><entryRelationship><observation>
    <effectiveTime><low value="201801"/><high value="201906"/></effectiveTime>
    <value xsi:type="CD" displayName="Frozen shoulder"/>
   </observation></entryRelationship></act></entry></section></component>
  <component><section><code code="30954-2"/>
   <entry><organizer><component><observation><code code="2345-7" displayName="Glucose"/>
    <effectiveTime value="202403010830+0100"/>
    <value xsi:type="PQ" value="5.4" unit="mmol/L"/></observation></component></organizer></entry>
   <entry><organizer>
    <component><observation><code code="8462-4" displayName="Diastolic"/>
     <effectiveTime value="20240302"/><value xsi:type="PQ" value="64" unit="mm[Hg]"/></observation></component>
    <component><observation><code code="8480-6" displayName="Systolic"/>
     <effectiveTime value="20240302"/><value xsi:type="PQ" value="101" unit="mm[Hg]"/></observation></component>
   </organizer></entry>
   </section></component>
  <component><section><code code="11369-6"/>
   <entry><substanceAdministration negationInd="false"><effectiveTime value="20211009"/>
    <consumable><manufacturedProduct><manufacturedMaterial>
     <code code="140" displayName="Influenza vaccine"/></manufacturedMaterial>
    </manufacturedProduct></consumable></substanceAdministration></entry></section></component>
  <component><section><code code="10160-0"/><text>Aspirin 100 mg</text></section></component>
  <component><section><code code="29762-2"/><entry><observation/></entry></section></component>
 </structuredBody></component>
</ClinicalDocument>"""
CDA_FACTS = {
    "User is allergic to Penicillin G (Hives)",
    "User takes Lisinopril (20 mg) since 2019",
    "User had Frozen shoulder from 2018-01 until 2019-06",
    "Glucose: 5.4 mmol/L on 2024-03-01",
    "Blood pressure: 101/64 mmHg on 2024-03-02",
    "User was vaccinated: Influenza vaccine on 2021-10-09",
}

APPLE_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
<!ATTLIST Record type CDATA #REQUIRED>
]>
<HealthData locale="de_DE">
 <ExportDate value="2026-01-05 10:00:00 +0100"/>
"""


def measured(kind, value, unit, moment="2025-06-01 08:00:00 +0200"):
    return (
        f' <Record type="HKQuantityTypeIdentifier{kind}" sourceName="Scale" unit="{unit}"'
        f' startDate="{moment}" endDate="{moment}" value="{value}"/>\n'
    )


APPLE = (
    APPLE_HEAD
    + measured("BodyMass", "80.5", "kg")
    + measured("BodyMass", "80.1", "kg", "2025-06-01 20:00:00 +0200")
    + measured("BodyMass", "79.9", "kg", "2025-06-02 08:00:00 +0200")
    + measured("BloodPressureSystolic", "121", "mmHg")
    + measured("BloodPressureDiastolic", "79", "mmHg")
    + measured("OxygenSaturation", "0.97", "%")
    + measured("StepCount", "100", "count") * 3
    + "</HealthData>\n"
)
APPLE_FACTS = {
    "Weight: 80.1 kg on 2025-06-01",
    "Weight: 79.9 kg on 2025-06-02",
    "Blood pressure: 121/79 mmHg on 2025-06-01",
    "Oxygen saturation: 97 % on 2025-06-01",
}
LAUGHS = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 40))
BOMB = f'<!DOCTYPE HealthData [<!ENTITY a0 "ha">{LAUGHS}]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a0 SYSTEM "file:///etc/passwd">]>'
