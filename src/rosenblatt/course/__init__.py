"""A kit for courses: exercises with data of their own for each student, and how they are graded.

draws      numbers of a student, by the project's hash
by_hand    numbers, vectors and answers as people write them
task       an exercise of one student: what is given, what is to be filled in, and how each cell follows from others
marks      which cells are right, each judged from what the student wrote before it
sheet      a task as Markdown, HTML and CSV; a CSV file that comes back
exercises  one file for each exercise, and a line in EXERCISES
codes      the result codes of the lab's missions
grading    a submission: points, the first wrong step, text and JSON for Gradescope
"""
