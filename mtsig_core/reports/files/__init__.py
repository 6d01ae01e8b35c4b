"""Files of other programs and for other people: LaTeX, annotation sheets, the files of MultEval."""
