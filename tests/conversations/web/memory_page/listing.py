"""The memory page as a client sees it, for the tests."""

FACT = "User is allergic to penicillin"
SHOWN = "Is allergic to penicillin"
METHODS = ("get", "post")


def groups(client, query=""):
    listing = client.get("/memory", {"q": query}).context["listing"]
    return {
        group.name: [entry.text for entry in group.entries] for group in listing.groups
    }


def addresses(fact):
    parts = (
        "",
        "/forget",
        *(f"/{fact.pk}/{verb}" for verb in ("edit", "forget", "undo")),
    )
    return [f"/memory{part}" for part in parts]
