package dolmenaws_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue" // for the programs
)

// programs returns the programs of README.md by the names of their files, which are in their first
// lines, and the output of the first program.
func programs(t *testing.T) (found map[string]string, output string) {
	t.Helper()
	page, err := os.ReadFile("../README.md")
	check(t, err)
	found = map[string]string{}
	for _, block := range regexp.MustCompile("(?s)```go\n// (\\w+\\.go)\n(.*?)```").
		FindAllStringSubmatch(string(page), -1) {
		found[block[1]] = block[2]
	}
	return found, regexp.MustCompile("(?s)```text\n(.*?)```").FindStringSubmatch(string(page))[1]
}

// goIn writes the files into a directory with the requirements of this module, and runs a command of
// Go there. Returns the output of the command.
func goIn(t *testing.T, files map[string]string, arguments ...string) string {
	t.Helper()
	directory := t.TempDir()
	root, err := filepath.Abs("..")
	check(t, err)
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(name)
		check(t, err)
		files[name] = string(content)
	}
	module := strings.NewReplacer("module dolmen/dolmenaws", "module example",
		"replace dolmen => ../", "").Replace(files["go.mod"])
	files["go.mod"] = module + `
require dolmen/dolmenaws v0.0.0
replace (
	dolmen => ` + root + `
	dolmen/dolmenaws => ` + root + `/dolmenaws
)`
	for name, content := range files {
		check(t, os.WriteFile(filepath.Join(directory, name), []byte(content), 0o666))
	}
	command := exec.Command("go", arguments...)
	command.Dir = directory
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}

func TestTheFirstProgramPrintsWhatTheReadmeSays(t *testing.T) {
	found, output := programs(t)
	printed := goIn(t, map[string]string{"first.go": found["first.go"]}, "run", ".")
	if printed != output {
		t.Errorf("%s", printed)
	}
}

func TestTheExampleOfATestPasses(t *testing.T) {
	found, _ := programs(t)
	files := map[string]string{"shop.go": found["shop.go"], "shop_test.go": found["shop_test.go"]}
	printed := goIn(t, files, "test", "-v", ".")
	if passed := strings.Count(printed, "--- PASS: "); passed != 3 {
		t.Errorf("%d tests passed: %s", passed, printed)
	}
}
