package text

import (
	"strings"
	"sync"

	"souk/build/fold"
)

// maxAsking is the greatest number of words of a phrase that only asks.
const maxAsking = 5

// Words and phrases that people ask with, which say nothing of what they ask for:
// a word alone only if it is hardly ever the name of a thing, as "need" is and
// "can" is not; the rest in the phrases that show how it is meant. Stop words are
// kept apart, since texts leave them out as well.
var asking = map[string]string{
	"en": `need needs needed needing want wants wanted wanting wish recommend recommends recommended
recommendation recommendations please something anything everything someone anyone somebody anybody somewhere anywhere
somehow best good better great cheap cheaper cheapest affordable inexpensive lightest heaviest smallest biggest largest fastest quickest
slowest strongest quietest loudest longest shortest highest lowest newest latest easiest simplest safest might shall without within inside via whether though although since unless
maybe perhaps really quite already always often sometimes usually ideally preferably currently just also even
many much every us my let lets get gets getting got give gives given make makes making use uses using
like likes so than then else instead whose onto upon among amongst toward towards across along around
compare comparing offer offers offering sell sells selling provide provides providing
hello hi hey thanks prefer preferred several various etc eg ie dont cant wont doesnt didnt isnt arent wasnt
havent hasnt shouldnt wouldnt couldnt im ive youre theyre weve
looking for|look for|looks for|looking to|searching for|search for|in search of|find me|find us|find a|find an|find the
find some|to find|where to find|help me|help us|helps me|helps us|help with|helps with|help to|helps to|show me|show us|tell me|tell us
can i|can we|can you|can be|that can|which can|who can|it can|we can|i can|you can|they can|one can|what can
may be|will be|it will|that will|which will|i will|we will|must be|must not|must have|it must|that must
kind of|kinds of|sort of|sorts of|type of|types of|some kind|any kind|a lot of|lots of|a number of|a couple of|a few
a way to|ways to|way of|the way|in order to|as well as|as well|such as|so that|for example|for instance|at all|at least
able to|allow us to|allows us to|allow me to|allows me to|allows to|lets me|lets us|trying to|try to|going to|have to|has to
how to|how do|how can|how much|how many|what kind of|what is the|is there|are there|there is|anyone know|do you know|does anyone know
would like|would like to|i would|we would|think of|come up with|out of|because of|due to|based on
which tool|what tool|a tool|any tool|some tool|the tool|tools that|tool that|tool to|tool for|tools for|tools to|which tools|what tools
which product|what product|a product|any product|some product|product that|products that|which products|what products
a solution|which solution|any solution|solution that|solution for|solution to|solutions for|solutions that
which software|what software|some software|software that|a piece of software|which service|a service that|service that|which services
alternative to|alternatives to|alternative for|alternatives for|replacement for|substitute for|similar to|rather than|instead of|compared to
companies that|companies which|company that|companies for|vendors of|vendors that|vendors for|vendor of|manufacturers of|manufacturer of|suppliers of|supplier of|suppliers for
providers of|provider of|providers for|provider for|makers of|maker of|sellers of|seller of|firms that|firms for
as if it were|as if they were|as if|not only|no longer|the same way|the same`,
	"de": `brauche brauchen brauchst braucht bräuchte bräuchten benötige benötigen benötigt möchte möchten möchtest
gerne gern bitte empfehlen empfehle empfehlung empfehlungen empfiehlt irgendwas irgendetwas irgendein irgendeine
irgendeinen irgendwie irgendwo sowas jemand jemanden jemandem könnten können kann kannst könnt dürfen darf sollten
müssen müsste dafür davon womit wofür wodurch wer wen wem wessen warum wieso weshalb schon bereits eigentlich
vielleicht möglichst leichteste leichtesten leichtester leichtestes schwerste schwersten schwerster schwerstes kleinste kleinsten kleinster kleinstes größte größten
größter größtes schnellste schnellsten schnellster schnellstes langsamste langsamsten langsamster langsamstes stärkste stärksten stärkster stärkstes
leiseste leisesten leisester leisestes lauteste lautesten lautester lautestes längste längsten längster längstes kürzeste kürzesten kürzester
kürzestes höchste höchsten höchster höchstes niedrigste niedrigsten niedrigster niedrigstes neueste neuesten neuester neuestes einfachste einfachsten
einfachster einfachstes sicherste sichersten sicherster sicherstes günstig günstige günstigen günstiger günstiges billig billige billigen billiger
billiges preiswert preiswerte preiswerten preiswerter preiswertes
beste besten bester bestes billigste billigsten billigster billigstes günstigste günstigsten günstigster günstigstes gut gute guten guter gutes wäre wären gibt gibts kennt kennst
vergleiche vergleichen bietet bieten anbietet anbieten verkauft verkaufen
hallo danke sowie statt anstatt beim vom ans etwa ungefähr immer oft manchmal meist meistens lassen lässt lasst
mehrere verschiedene usw bzw zb
ich suche|wir suchen|suche nach|suchen nach|suche ein|suche eine|suche einen|suchen ein|suchen eine|suchen einen|auf der suche nach
ich finde|wo finde|zu finden|hilf mir|helfen sie mir|hilft mir|hilft uns|hilft bei|hilft beim
gibt es|zum beispiel|so etwas wie|so etwas|etwas wie|etwas ähnliches wie|ähnlich wie|am besten|eine art|art von
alternative zu|alternativen zu|alternative für|alternativen für|ersatz für|im vergleich zu|an stelle von|anstelle von
ein werkzeug|welches werkzeug|werkzeug zum|ein produkt|welches produkt|produkt das|eine lösung|welche lösung|lösung für|lösung zum
hersteller von|hersteller für|anbieter von|anbieter für|händler für|händler von|lieferant für|lieferanten für|lieferanten von|verkäufer von
firmen die|firma die|firmen für|unternehmen die|unternehmen für
eine software|welche software|software die|software für|software zum|ein programm|welches programm|programm das|in der lage|um zu`,
}

// trailing are words that only ask behind all that is asked for, as in "jenkins
// alternative", "which tracing tools are there" or "printer manufacturers".
var trailing = map[string]string{
	"en": `alternative alternatives replacement replacements please recommendation recommendations tool tools solution solutions product products
company companies vendor vendors manufacturer manufacturers supplier suppliers provider providers maker makers seller sellers firm firms service services agency agencies specialist specialists expert experts professional professionals`,
	"de": `alternative alternativen ersatz bitte empfehlung empfehlungen werkzeug werkzeuge lösung lösungen produkt produkte
firma firmen unternehmen hersteller herstellern lieferant lieferanten anbieter anbietern verkäufer händler service services dienstleistung dienstleistungen agentur agenturen spezialist spezialisten experte experten fachmann fachleute profi profis`,
}

// Asks reports whether a folded word only asks in any of the languages.
func Asks(word string) bool { return askers()[word] }

var askers = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for tag := range asking {
		for phrase := range newAsker(tag).phrases {
			words[phrase] = true
		}
	}
	return words
})

// An asker knows the words and phrases of a language that only ask.
type asker struct{ phrases, trailing map[string]bool }

// newAsker returns the asker of a BCP 47 tag; an empty one is English. A language
// without a list has only its stop words.
func newAsker(tag string) asker {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if base == "" {
		base = "en"
	}
	a := asker{map[string]bool{}, map[string]bool{}}
	add := func(set map[string]bool, phrase string) {
		for _, spelling := range [...]string{phrase, Digraphs(phrase)} {
			if spelling != "" {
				set[fold.Text(spelling)] = true
			}
		}
	}
	for line := range strings.Lines(asking[base]) {
		if !strings.Contains(line, "|") {
			for _, word := range strings.Fields(line) {
				add(a.phrases, word)
			}
			continue
		}
		for phrase := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			add(a.phrases, phrase)
		}
	}
	for _, word := range strings.Fields(trailing[base]) {
		add(a.trailing, word)
	}
	return a
}

// Asking returns which words of a text only ask, such as "looking for".
func (l *Language) Asking(words []Token) []bool {
	marks := make([]bool, len(words))
	for i := range words {
		phrase := ""
		for n := 1; n <= maxAsking && i+n <= len(words); n++ {
			if phrase += " " + words[i+n-1].Text; l.asker.phrases[phrase[1:]] {
				for j := range n {
					marks[i+j] = true
				}
			}
		}
	}
	telling := func(words []Token) int {
		for i := len(words) - 1; i >= 0; i-- {
			if !marks[i] && !l.IsStop(words[i].Text) {
				return i
			}
		}
		return -1
	}
	for last := telling(words); last > 0 && l.AsksBehind(words[last].Text) && telling(words[:last]) >= 0; last = telling(words[:last]) {
		marks[last] = true
	}
	return marks
}

// AsksBehind reports whether a word says nothing behind what is asked for.
func (l *Language) AsksBehind(word string) bool { return l.asker.trailing[word] }
