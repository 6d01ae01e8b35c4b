"""Which experiment a call is about, where a path holds several."""

import json

import pytest

from mtsig_core.cli.main import main


@pytest.mark.slow
def test_one_of_several_experiments_is_chosen(tmp_path, capsys):
    for folder, system in (("a/first", "one"), ("b/second", "two")):
        (tmp_path / folder).mkdir(parents=True)
        for name in ("ref.txt", f"{system}.seed1.txt", f"{system}.seed2.txt"):
            (tmp_path / folder / name).write_text("a b c\nd e f\n")
    assert main(["check", str(tmp_path)]) == 2
    assert "holds 2 experiments: a/first" in capsys.readouterr().err
    assert main(["check", "--json", str(tmp_path)]) == 2
    assert [one["folder"] for one in json.loads(capsys.readouterr().out)["experiments"]] == ["a/first", "b/second"]
    assert main(["check", str(tmp_path), "--experiment", "second"]) == 0
    assert "system two: 2 replicas" in capsys.readouterr().out
