"""Pairs of languages in names of test sets."""

import pytest

from mtsig_core.loading.judgements.languages import language_pair


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("en-ja", "en-ja"), ("eng-jpn", "en-ja"), ("en-jap", "en-ja"), ("en_US-ja_JP", "en-ja"), ("en-zh-CN", "en-zh"),
        ("en-zh_CN", "en-zh"), ("en-zh_Hans", "en-zh"), ("en-zh-Hant-TW", "en-zh"), ("wmt24.eng-ces", "en-cs"),
        ("generaltest2023.en-de", "en-de"), ("EN-DE", "en-de"), ("de2en", "de-en"), ("liv-en", "liv-en"),
        ("newstest2020 en_cs", "en-cs"), ("new-dev", ""), ("test", ""), ("test-second", ""), ("en-en", ""), ("", ""),
        ("pre-edit", ""), ("in-domain", ""),
    ],
)  # fmt: skip
def test_pairs_in_any_spelling(name, pair):
    assert language_pair(name) == pair
