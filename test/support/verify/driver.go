// Answers, as a JSON list, which vectors of the file given isGenuine of the guide (verify.go, beside this) accepts.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
)

type vector struct {
	Headers   map[string]string
	Body      string
	Secrets   []string
	Now       int64
	Tolerance int64 `json:"tolerance_seconds"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	var file struct{ Vectors []vector }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		log.Fatal(err)
	}
	accepted := []bool{}
	for _, each := range file.Vectors {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		accepted = append(accepted, isGenuine(header, []byte(each.Body), each.Secrets, each.Tolerance, each.Now))
	}
	if err := json.NewEncoder(os.Stdout).Encode(accepted); err != nil {
		log.Fatal(err)
	}
}
