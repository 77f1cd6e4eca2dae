"""`python -m rosenblatt.course`: as the command line of the package, every mistake ends in one line."""

from rosenblatt.cli import main
from rosenblatt.course.commands import course

if __name__ == "__main__":
    main(of=course, name="python -m rosenblatt.course")
