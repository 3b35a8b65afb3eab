module preadmit.dev/validation/prepare

go 1.26.0
