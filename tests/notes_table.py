"""The table of the notes, letter for letter: the perceptron on the five points, until its weights are [-1, 1, -1]."""

NOTES = """\
| step | weights | score | correct? | update |
|---|---|---|---|---|
| 1 | [-1, 0, 0] | -1·1 + 0·1 + 0·1 = -1 | yes | none |
| 2 | [-1, 0, 0] | -1·1 + 0·3 + 0·2 = -1 | no | +[1, 3, 2] |
| 3 | [0, 3, 2] | 0·1 + 3·2 + 2·4 = 14 | yes | none |
| 4 | [0, 3, 2] | 0·1 + 3·3 + 2·4 = 17 | yes | none |
| 5 | [0, 3, 2] | 0·1 + 3·2 + 2·3 = 12 | no | -[1, 2, 3] |
| 6 | [-1, 1, -1] | | | |
"""
