package dolmenaws

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// parser reads the JSON of the database, which has no white space. After a failure it is at its end
// and returns zero values.
type parser struct {
	text   []byte
	at     int
	failed bool
	names  map[string]string // the names of attributes, so that each name is allocated once
}

func newParser(text []byte) *parser {
	return &parser{text: text, names: map[string]string{}}
}

func (p *parser) fail() {
	p.failed, p.at = true, len(p.text)
}

// isAtEnd returns true if the whole text was read without a failure.
func (p *parser) isAtEnd() bool {
	return !p.failed && p.at == len(p.text)
}

// take returns true, and skips the character, if the next character is this one.
func (p *parser) take(character byte) bool {
	if p.at < len(p.text) && p.text[p.at] == character {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(character byte) {
	if !p.take(character) {
		p.fail()
	}
}

// list reads members up to the end of a list or an object, whose beginning was read.
func (p *parser) list(end byte, member func()) {
	if p.take(end) {
		return
	}
	for {
		member()
		if p.take(end) || p.failed {
			return
		}
		p.expect(',')
	}
}

func (p *parser) object(member func(name []byte)) {
	p.expect('{')
	p.list('}', func() {
		name := p.raw()
		p.expect(':')
		member(name)
	})
}

func (p *parser) array(element func()) {
	p.expect('[')
	p.list(']', element)
}

// raw reads a string. The bytes are those of the text if the string has no escapes.
func (p *parser) raw() []byte {
	p.expect('"')
	length := bytes.IndexByte(p.text[p.at:], '"')
	if length < 0 {
		p.fail()
		return nil
	}
	found := p.text[p.at : p.at+length]
	if bytes.IndexByte(found, '\\') >= 0 {
		return p.escaped()
	}
	p.at += length + 1
	return found
}

// escaped reads a string whose opening quote was read.
func (p *parser) escaped() []byte {
	begin := p.at - 1
	for p.at < len(p.text) && p.text[p.at] != '"' {
		if p.text[p.at] == '\\' {
			p.at++
		}
		p.at++
	}
	var found string
	if p.at >= len(p.text) || json.Unmarshal(p.text[begin:p.at+1], &found) != nil {
		p.fail()
		return nil
	}
	p.at++
	return []byte(found)
}

// count reads a whole number.
func (p *parser) count() int32 {
	number, begin := int32(0), p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		number = number*10 + int32(p.text[p.at]-'0')
		p.at++
	}
	if digits := p.at - begin; digits == 0 || digits > 9 {
		p.fail()
	}
	return number
}

func (p *parser) boolean() bool {
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(p.text[p.at:], []byte(word)) {
			p.at += len(word)
			return word == "true"
		}
	}
	p.fail()
	return false
}

func (p *parser) binary() []byte {
	text := p.raw()
	found := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	length, err := base64.StdEncoding.Decode(found, text)
	if err != nil {
		p.fail()
	}
	return found[:length]
}

func (p *parser) strings() []string {
	found := []string{}
	p.array(func() { found = append(found, string(p.raw())) })
	return found
}

func (p *parser) binaries() [][]byte {
	found := [][]byte{}
	p.array(func() { found = append(found, p.binary()) })
	return found
}

func (p *parser) items() []map[string]types.AttributeValue {
	found := []map[string]types.AttributeValue{}
	p.array(func() { found = append(found, p.item()) })
	return found
}

func (p *parser) item() map[string]types.AttributeValue {
	found := map[string]types.AttributeValue{}
	p.object(func(name []byte) {
		known, ok := p.names[string(name)]
		if !ok {
			known = string(name)
			p.names[known] = known
		}
		found[known] = p.value()
	})
	return found
}

// value reads an attribute value.
func (p *parser) value() (found types.AttributeValue) {
	p.object(func(kind []byte) {
		switch string(kind) {
		case "S":
			found = &types.AttributeValueMemberS{Value: string(p.raw())}
		case "N":
			found = &types.AttributeValueMemberN{Value: string(p.raw())}
		case "B":
			found = &types.AttributeValueMemberB{Value: p.binary()}
		case "BOOL":
			found = &types.AttributeValueMemberBOOL{Value: p.boolean()}
		case "NULL":
			found = &types.AttributeValueMemberNULL{Value: p.boolean()}
		case "M":
			found = &types.AttributeValueMemberM{Value: p.item()}
		case "L":
			found = p.values()
		case "SS":
			found = &types.AttributeValueMemberSS{Value: p.strings()}
		case "NS":
			found = &types.AttributeValueMemberNS{Value: p.strings()}
		case "BS":
			found = &types.AttributeValueMemberBS{Value: p.binaries()}
		default:
			p.fail()
		}
	})
	return found
}

func (p *parser) values() types.AttributeValue {
	found := []types.AttributeValue{}
	p.array(func() { found = append(found, p.value()) })
	return &types.AttributeValueMemberL{Value: found}
}
