package main

import "errors"

func answerDefinition(asked []byte) ([]field, error) { return nil, errors.New("not yet") }
