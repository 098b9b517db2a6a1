module carryless-examples

go 1.21
