"""What users say in German and Spanish, and a part of what the stand-in says back.

Written before its sentences; those of APART were first read when they were finished.
"""

NOTED = {"de": "Danke, dass du mir das sagst.", "es": "Gracias por contármelo."}
UNKNOWN = {"de": "Das weiß ich noch nicht.", "es": "Eso todavía no lo sé."}
THANKS = {"de": "Gern geschehen.", "es": "De nada."}

SEEN = {
    "de": {
        "Guten Morgen!": "Hallo! Erzähl mir etwas über dich",
        "Ich bin gegen Penicillin allergisch.": NOTED["de"],
        "Mein Sohn hat Asthma.": NOTED["de"],
        "Seit 2019 wohne ich in Leipzig.": NOTED["de"],
        "Was weißt du über mich?": "Du hast gesagt:",
        "Vielen Dank für alles.": THANKS["de"],
        "Was kannst du alles?": "Ich bin Meddie, weder Arzt noch Mensch.",
        "Wie heißt die Hauptstadt von Peru?": UNKNOWN["de"],
        "Ich fühle mich heute sehr einsam.": "Ich höre dir zu.",
        "Vergiss, dass mein Sohn Asthma hat.": "was ich vergessen soll.",
        "Gute Nacht, bis morgen!": "Ich bin da, wenn du mich brauchst.",
    },
    "es": {
        "¡Buenos días!": "¡Hola! Cuéntame algo sobre ti",
        "Mi hijo tiene asma.": NOTED["es"],
        "Trabajo de enfermera en un hospital.": NOTED["es"],
        "No me gusta nada el café.": NOTED["es"],
        "¿Qué sabes de mí?": "Has dicho:",
        "Muchas gracias por todo.": THANKS["es"],
        "¿Qué cosas puedes hacer?": "Soy Meddie, no soy ni médico ni una persona.",
        "¿Cuál es la capital de Perú?": UNKNOWN["es"],
        "Hoy estoy muy triste.": "Te escucho.",
        "Olvida que mi hijo tiene asma.": "lo que debo olvidar.",
        "¡Buenas noches, hasta mañana!": "Aquí estoy cuando me necesites.",
    },
}

APART = {
    "de": {
        "Guten Tag": "Hallo! Erzähl mir etwas über dich",
        "Meine Schwester wohnt in Kiel.": NOTED["de"],
        "Ich habe Bluthochdruck.": NOTED["de"],
        "Vor zwei Jahren wurde ich am Knie operiert.": NOTED["de"],
        "Wo wohnt meine Schwester?": "„Meine Schwester wohnt in Kiel“",
        "Danke dir!": THANKS["de"],
        "Wer bist du eigentlich?": "Ich bin Meddie, weder Arzt noch Mensch.",
        "Wie viel wiegt ein Elefant?": UNKNOWN["de"],
        "Mir geht es gar nicht gut, ich bin so niedergeschlagen.": "Ich höre dir zu.",
        "Lösche bitte, dass ich Bluthochdruck habe.": "was ich vergessen soll.",
        "Tschüss!": "Ich bin da, wenn du mich brauchst.",
    },
    "es": {
        "Hola": "¡Hola! Cuéntame algo sobre ti",
        "Mi hermana vive en Bilbao.": NOTED["es"],
        "Tengo la tensión alta.": NOTED["es"],
        "Me operaron de la rodilla hace dos años.": NOTED["es"],
        "¿Dónde vive mi hermana?": "«Mi hermana vive en Bilbao»",
        "Te lo agradezco mucho.": THANKS["es"],
        "¿Quién eres?": "Soy Meddie, no soy ni médico ni una persona.",
        "¿Cuánto pesa un elefante?": UNKNOWN["es"],
        "Me siento muy sola estos días.": "Te escucho.",
        "Borra que tengo la tensión alta.": "lo que debo olvidar.",
        "Adiós, hasta luego": "Aquí estoy cuando me necesites.",
    },
}

PORTUGUESE = (
    "O meu filho tem asma.",
    "Muito obrigada por tudo.",
    "O que sabes de mim?",
    "Olá, eu sou a Teresa.",
)
