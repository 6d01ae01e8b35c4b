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
        ("pre-edit", ""), ("in-domain", ""), ("run-one", ""), ("en-qz", ""), ("en-sr_Cyrl_RS", "en-sr"),
        ("eng-ekk", "en-et"), ("en-lvs", "en-lv"), ("cz-ua", "cs-uk"), ("eng-nob", "en-no"), ("en-mas_KE", "en-mas"),
    ],
)  # fmt: skip
def test_pairs_in_any_spelling(name, pair):
    assert language_pair(name) == pair


@pytest.mark.parametrize(
    ("terminology", "bibliographic", "usual"),
    # the twenty languages whose two codes of ISO 639-2 differ
    [
        ("sqi", "alb", "sq"), ("hye", "arm", "hy"), ("eus", "baq", "eu"), ("mya", "bur", "my"), ("zho", "chi", "zh"),
        ("ces", "cze", "cs"), ("nld", "dut", "nl"), ("fra", "fre", "fr"), ("kat", "geo", "ka"), ("deu", "ger", "de"),
        ("ell", "gre", "el"), ("isl", "ice", "is"), ("mkd", "mac", "mk"), ("mri", "mao", "mi"), ("msa", "may", "ms"),
        ("fas", "per", "fa"), ("ron", "rum", "ro"), ("slk", "slo", "sk"), ("bod", "tib", "bo"), ("cym", "wel", "cy"),
    ],
)  # fmt: skip
def test_both_codes_of_iso_639_2_are_one(terminology, bibliographic, usual):
    for code in (terminology, bibliographic, usual):
        assert language_pair(f"eng-{code}") == f"en-{usual}"
