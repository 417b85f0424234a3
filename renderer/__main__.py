"""`python -m renderer` is `krender`."""

from renderer.cli.main import main

if __name__ == "__main__":
    main()
