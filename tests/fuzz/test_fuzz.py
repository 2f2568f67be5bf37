"""The short form of `make fuzz`: every address, every attack, few values of each."""

import pytest

from tests.fuzz import campaign
from tests.fuzz.addresses import Address, UnknownArgument
from tests.fuzz.attack import SHORT

SEED = 1


@pytest.mark.req("S0-08", "S0-09", "B-19")
def test_hostile_requests_reach_no_row_of_others_and_fail_nowhere(api_url):
    findings, count = campaign.run(api_url, SEED, SHORT)
    assert count > 700
    assert not findings, "\n".join(findings)


def test_address_with_an_unknown_argument_is_named():
    with pytest.raises(UnknownArgument, match="chat/<uuid:secret_pk> has the argument"):
        Address("chat/<uuid:secret_pk>")
