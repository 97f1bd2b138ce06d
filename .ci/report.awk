# One sanitizer report; exits 1 unless all it says is that Criterion's own runner leaked: then the
# allocator's direct caller is libcriterion itself. A leak of ours, which has that library only
# further up its stack, is not excused, nor is anything that is no leak.
/ leak of / { if (waiting) bad = 1; waiting = 1; leaks++; next }
waiting && /^ *#1 / { if ($0 !~ /libcriterion\.so/) bad = 1; waiting = 0 }
/ERROR: AddressSanitizer|runtime error:|WARNING: ThreadSanitizer/ { bad = 1 }
END { exit bad || waiting || leaks == 0 }
