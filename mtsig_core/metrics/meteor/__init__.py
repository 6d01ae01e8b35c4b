"""METEOR: by nltk's aligner, and by the authors' own program."""
