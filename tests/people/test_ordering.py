"""The order of people."""

import pytest

from tests.factories import (
    PersonFactory,
)
from tests.people.person_pages import filled, names, url


class TestOrder:
    @pytest.fixture
    def people(self, member):
        return [
            PersonFactory(space=member.space, name=name) for name in ("Ann", "Bo", "Cy")
        ]

    @pytest.mark.parametrize(
        ("who", "to", "order"),
        [
            (1, "up", ["Bo", "Ann", "Cy"]),
            (1, "down", ["Ann", "Cy", "Bo"]),
            (0, "up", ["Ann", "Bo", "Cy"]),
            (2, "down", ["Ann", "Bo", "Cy"]),
        ],
    )
    def test_people_move_one_place(self, client, member, people, who, to, order):
        client.post(url("move", people[who]), {"to": to})
        assert names(member.space) == order

    def test_the_ends_of_the_list_are_the_ends(self, client, member, people):
        for who, ends in zip(people, (["up"], [], ["down"]), strict=True):
            page = client.get(url("person", who)).text
            for to in ("up", "down"):
                assert (f'value="{to}" disabled' in page) == (to in ends)

    def test_one_person_alone_cannot_be_moved(self, client, member, anna):
        assert "Move up" not in client.get(url("person", anna)).text

    def test_moving_does_not_conflict_with_an_edit(self, client, member, people):
        sent = filled(client, people[1])
        client.post(url("move", people[1]), {"to": "up"})
        assert client.post(url("edit", people[1]), sent).status_code == 302
