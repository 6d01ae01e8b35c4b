"""What the replicas of a system differ by: what "new runs" means in a verdict, and what it does not cover."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Varied:
    """One kind of replicas.

    Parameters
    ----------
    name : str
        As on the command line and in experiment.toml.
    label : str
        What people choose it by.
    new : str
        What a new replica is, in the plural, within a sentence.
    limit : str
        What a verdict on such replicas does not cover; empty where nothing need be said.
    dependence : str
        Why the replicas depend on one another, which no test here allows for; empty where they do not.
    """

    name: str
    label: str
    new: str
    limit: str = ""
    dependence: str = ""


_KINDS = (
    Varied("unknown", "unknown", "new runs made the same way"),
    Varied("training-seed", "training seed", "new training runs",
           "It says nothing about training on other data or with other settings."),
    Varied("optimizer-run", "optimizer run", "new optimizer runs",
           "It says nothing about a new training of the models that the optimizer combines."),
    Varied("decoding-sample", "decoding sample", "new samples from the same model",
           "Samples from one model say nothing about a new training."),
    Varied("prompt", "prompt", "new prompts of the same kind",
           "It says nothing about other models or of a new training."),
    Varied("data-split", "data split", "new splits of the same data",
           "It says nothing about a new training on the same split.",
           "Folds of one cross-validation share most of their training data, so they vary less than independent runs: "
           "p is too small."),
    Varied("checkpoint", "checkpoint", "new checkpoints of the same training",
           "Checkpoints of one training say nothing about a new training.",
           "Checkpoints of one training share all that came before them, so they vary less than independent runs: p is "
           "too small."),
    Varied("annotator", "annotator", "new annotators of the same kind",
           "It says nothing about new outputs of the systems."),
)  # fmt: skip
KINDS: dict[str, Varied] = {kind.name: kind for kind in _KINDS}


def get_varied(name: str) -> Varied:
    """Return a kind of replicas by its name; raise ValueError with the names there are."""
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in KINDS:
        raise ValueError(f"What replicas differ by must be one of {', '.join(KINDS)}; not {name!r}.")
    return KINDS[key]
