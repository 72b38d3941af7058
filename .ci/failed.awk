# Prints what each failed test of a log of ctest said: its first lines and its last, because the first failure is often the
# cause of the others.

function tell(    i) {
  print name
  for (i = 1; i <= count; ++i) {
    if (i <= 25 || i > count - 15) print "  " substr(lines[i], 1, 400)
    else if (i == 26) print "  ..."
  }
}

/^[0-9]+\/[0-9]+ Testing: / { name = $3; count = 0 }
$0 == "Test Failed." { tell() }
!/^$|^Command: |^Directory: |^Output:|^-+$|: Skipped$|repeat this run with/ { lines[++count] = $0 }
