"""What talking changes in the notes, and how it is taken back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from people.models import ProfileUpdate
from people.models.person import FIELD_LIMIT
from people.profile_updates import TEXT_LIMIT, Proposed, apply_updates, undo_update
from tests.factories import MembershipFactory, PersonFactory, SpaceFactory

pytestmark = pytest.mark.django_db

IBUPROFEN = Proposed("health_notes", "append", "Allergic to ibuprofen")


@pytest.fixture
def member():
    return MembershipFactory(role="member")


@pytest.fixture
def person(member):
    return PersonFactory(space=member.space, medications="- Iron")


def _apply(member, person, *proposed, **more):
    ids = (member.user_id, person.pk, member.space_id)
    return apply_updates(*ids, proposed, **more).updates


@pytest.mark.req("S0-11", "S0-61")
def test_updates_change_the_person_and_are_kept_with_both_values(member, person):
    added, removed = _apply(
        member, person, IBUPROFEN, Proposed("medications", "remove", "iron")
    )
    person.refresh_from_db()
    assert (person.health_notes, person.medications) == ("- Allergic to ibuprofen", "")
    assert (added.previous_value, added.new_value, added.author_id) == (
        "",
        "- Allergic to ibuprofen",
        member.user_id,
    )
    assert (removed.previous_value, removed.new_value) == ("- Iron", "")


@pytest.mark.req("S0-11")
@pytest.mark.parametrize(
    "proposed",
    [
        Proposed("name", "append", "Eve"),
        Proposed("memory_on", "append", "False"),
        Proposed("medications", "replace", "x"),
        Proposed("medications", "append", "  "),
        Proposed("medications", "append", "- "),
        Proposed("medications", "append", "x" * (TEXT_LIMIT + 1)),
        Proposed("medications", "append", "IRON"),
        Proposed("medications", "remove", "Zinc"),
    ],
)
def test_unknown_blank_too_long_or_idle_updates_are_left_out(member, person, proposed):
    assert _apply(member, person, proposed) == []
    assert ProfileUpdate.objects.count() == 0


def test_a_field_never_grows_past_its_limit(member, person):
    person.health_notes = "x" * (FIELD_LIMIT - 10)
    person.save()
    assert _apply(member, person, IBUPROFEN) == []
    assert _apply(member, person, Proposed("health_notes", "append", "short!!"))


def test_the_same_update_in_one_turn_is_applied_once(member, person):
    first = _apply(member, person, IBUPROFEN, IBUPROFEN)
    assert len(first) == 1
    undo_update(first[0], member.user)
    assert _apply(member, person, IBUPROFEN, already=first) == []
    assert len(_apply(member, person, IBUPROFEN)) == 1


@pytest.mark.req("B-17")
def test_a_person_of_another_space_is_never_changed(member):
    elsewhere = PersonFactory()
    assert _apply(member, elsewhere, IBUPROFEN) == []
    ids = (member.user_id, elsewhere.pk, elsewhere.space_id)
    assert apply_updates(*ids, [IBUPROFEN]).updates == []
    elsewhere.refresh_from_db()
    assert elsewhere.health_notes == ""


@pytest.mark.req("B-19")
def test_a_removed_member_changes_and_undoes_nothing(member, person):
    (update,) = _apply(member, person, IBUPROFEN)
    member.delete()
    assert _apply(member, person, Proposed("supplements", "append", "Zinc")) == []
    assert undo_update(update, member.user) is False


def test_an_unlinked_chat_may_change_the_person_it_is_about():
    person = PersonFactory(space=SpaceFactory())
    applied = apply_updates(None, person.pk, person.space_id, [IBUPROFEN])
    (update,) = applied.updates
    assert update.author is None


def _not_removed(member, person, text):
    removal = Proposed("medications", "remove", text)
    ids = (member.user_id, person.pk, member.space_id)
    applied = apply_updates(*ids, [removal])
    assert (applied.updates, ProfileUpdate.objects.count()) == ([], 0)
    return [(one.text, one.reason) for one in applied.not_removed]


def test_a_removal_that_finds_no_line_of_its_own_says_why(member, person):
    person.medications = "- Ramipril 5 mg\n- Ramipril 10 mg\n- Allergic to zinc"
    person.save()
    assert _not_removed(member, person, " - ramipril") == [("ramipril", "several")]
    assert _not_removed(member, person, "Zinc") == [("Zinc", "allergy")]
    assert _not_removed(member, person, "Copper") == [("Copper", "missing")]


def test_a_removal_names_the_removed_line(member, person):
    person.medications = "## Current\n- Iron\n- Ramipril 5 mg, mornings"
    person.save()
    (update,) = _apply(member, person, Proposed("medications", "remove", "ramipril"))
    assert update.sentence() == "Removed from Medications: Ramipril 5 mg, mornings"


@pytest.mark.req("B-02")
def test_undo_puts_the_field_back_once(member, person):
    (update,) = _apply(member, person, IBUPROFEN)
    assert undo_update(update, member.user) is True
    person.refresh_from_db()
    assert person.health_notes == ""
    assert update.reverted_at is not None
    assert undo_update(update, member.user) is False


@pytest.mark.req("B-02")
def test_undo_refuses_when_the_field_has_changed_since(member, person):
    first, second = _apply(
        member, person, IBUPROFEN, Proposed("health_notes", "append", "Asthma")
    )
    assert undo_update(first, member.user) is False
    person.refresh_from_db()
    assert person.health_notes == "- Allergic to ibuprofen\n- Asthma"
    assert undo_update(second, member.user) is True
    assert undo_update(first, member.user) is True


@pytest.mark.req("B-02")
def test_a_stranger_cannot_undo(member, person):
    (update,) = _apply(member, person, IBUPROFEN)
    assert undo_update(update, MembershipFactory().user) is False


changes = st.lists(
    st.builds(
        Proposed,
        st.sampled_from(["health_notes", "medications", "nonsense"]),
        st.sampled_from(["append", "remove"]),
        st.sampled_from(["Iron", "Zinc", "iron ", "", "## Previous", "Vitamin D"]),
    ),
    max_size=6,
)


@settings(max_examples=40)
@given(changes)
def test_undoing_everything_backwards_gives_back_the_notes(member, person, proposed):
    person.health_notes, person.medications = "## Current\n- Iron", "- Zinc"
    person.save()
    updates = _apply(member, person, *proposed)
    assert all(undo_update(update, member.user) for update in reversed(updates))
    person.refresh_from_db()
    assert (person.health_notes, person.medications) == ("## Current\n- Iron", "- Zinc")


@pytest.mark.parametrize(
    "text", ["Ir\ud83don", "\udfffIron\ud800", "I\x00r\x1bo\x85n", "Iron\u2028\x7f"]
)
@pytest.mark.parametrize("action", ["append", "remove"])
def test_characters_that_a_database_refuses_never_reach_it(
    member, person, text, action
):
    _apply(member, person, Proposed("medications", action, text))
    person.refresh_from_db()
    kept = person.medications + "".join(
        part
        for update in ProfileUpdate.objects.all()
        for part in (update.text, update.previous_value, update.new_value)
    )
    assert all(char.isprintable() or char == "\n" for char in kept)


def test_the_model_cannot_replace_a_whole_field(member, person):
    assert _apply(member, person, Proposed("medications", "edit", "Iron")) == []


def test_a_text_of_nothing_storable_changes_nothing(member, person):
    assert _apply(member, person, Proposed("medications", "append", "\ud83d\x00")) == []
