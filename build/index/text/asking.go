package text

import (
	"strings"
	"sync"

	"souk/build/kit/fold"
)

// maxAsking is the maximum number of words in an asking phrase.
const maxAsking = 5

// Words and phrases that only express a request and say nothing about its object. A single
// word is listed only if it is hardly ever the name of a thing, as "need" is and "can" is not;
// others are listed in phrases that make the meaning clear. Stop words are separate, because
// texts omit them too.
var asking = map[string]string{
	"en": `need needs needed needing want wants wanted wanting wish recommend recommends recommended
recommendation recommendations please something anything everything someone anyone somebody anybody somewhere anywhere
somehow best good better great cheap cheaper cheapest affordable inexpensive lightest heaviest smallest biggest largest fastest quickest
slowest strongest quietest loudest longest shortest highest lowest newest latest easiest simplest safest might shall without within inside via whether though although since unless
maybe perhaps really quite already always often sometimes usually ideally preferably currently just also even
many much every us my let lets get gets getting got give gives given make makes making use uses using
like likes so than then else instead whose onto upon among amongst toward towards across along around
compare comparing offer offers offering sell sells selling provide provides providing
hello hi hey thanks buy buying prefer preferred several various etc eg ie dont cant wont doesnt didnt isnt arent wasnt
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
for sale|where to buy|where can i buy|near me|nearby|close by|in my area|around here|around me
companies that|companies which|company that|companies for|vendors of|vendors that|vendors for|vendor of|manufacturers of|manufacturer of|suppliers of|supplier of|suppliers for
providers of|provider of|providers for|provider for|makers of|maker of|sellers of|seller of|firms that|firms for
who runs|who run|who operates|who operate|who manages|who manage|who maintains|who maintain|who administers|who looks after|who can run|who can operate|who can manage
company that runs|companies that run|company that operates|companies that operate|company that manages|companies that manage|provider that runs|providers that run
someone to run|someone to operate|someone to manage|someone to maintain|somebody to run|somebody to operate|somebody to manage
which project|what project|project that|projects that|project for|projects for|which projects|what projects
written in|implemented in|programmed in|coded in
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
billiges geschrieben geschriebene geschriebener geschriebenes preiswert preiswerte preiswerten preiswerter preiswertes
beste besten bester bestes billigste billigsten billigster billigstes günstigste günstigsten günstigster günstigstes gut gute guten guter gutes wäre wären gibt gibts kennt kennst
vergleiche vergleichen bietet bieten anbietet anbieten verkauft verkaufen
hallo danke sowie statt anstatt beim vom ans etwa ungefähr immer oft manchmal meist meistens lassen lässt lasst
mehrere verschiedene usw bzw zb kaufen
zu verkaufen|in der nähe|in meiner nähe|bei mir in der nähe|in meiner umgebung
ich suche|wir suchen|suche nach|suchen nach|suche ein|suche eine|suche einen|suchen ein|suchen eine|suchen einen|auf der suche nach
ich finde|wo finde|zu finden|hilf mir|helfen sie mir|hilft mir|hilft uns|hilft bei|hilft beim
wer betreibt|wer betreut|wer verwaltet|wer wartet|wer kümmert sich um|wer kann betreiben|jemand der betreibt
gibt es|zum beispiel|so etwas wie|so etwas|etwas wie|etwas ähnliches wie|ähnlich wie|am besten|eine art|art von
alternative zu|alternativen zu|alternative für|alternativen für|ersatz für|im vergleich zu|an stelle von|anstelle von
ein werkzeug|welches werkzeug|werkzeug zum|ein produkt|welches produkt|produkt das|eine lösung|welche lösung|lösung für|lösung zum
hersteller von|hersteller für|anbieter von|anbieter für|händler für|händler von|lieferant für|lieferanten für|lieferanten von|verkäufer von
firmen die|firma die|firmen für|unternehmen die|unternehmen für
eine software|welche software|software die|software für|software zum|ein programm|welches programm|programm das|in der lage|um zu
implementiert in|programmiert in`,
	"fr": `cherche cherchons recherche recherchons besoin veux voudrais voulons voudrions souhaite souhaitons aimerais aimerions
trouver recommander recommandez recommandation recommandations svp merci bonjour quelqu meilleur meilleure meilleurs meilleures bon bonne
pas cher chère bons bonnes abordable abordables quel quelle quels quelles lequel laquelle comment pourquoi où quand combien
acheter coûte coûtent peut peux pouvez peuvent pourrait faut faudrait existe existent donc aussi très bien
à vendre|près de chez moi|près de moi|à proximité
je cherche|nous cherchons|je recherche|à la recherche de|à la recherche d un|à la recherche d une|j ai besoin de|j ai besoin d un|j ai besoin d une|nous avons besoin de
je voudrais|je veux|j aimerais|où trouver|où puis je|où peut on|puis je trouver|aidez moi|aide moi|s il vous plaît|s il te plaît|est ce que|est ce qu il|y a t il|il y a
quelque chose|quelque chose pour|quelqu un|quelqu un pour|qui peut|qui vend|qui propose|qui font|qui fait|pas cher|pas chère|pas chers|pas chères|le moins cher|la moins chère|le meilleur|la meilleure
qui gère|qui gèrent|qui exploite|qui exploitent|qui opère|qui administre|qui héberge
un outil|quel outil|outil pour|un produit|quel produit|produit pour|produits pour|un service|quel service|service pour|services pour|une solution|quelle solution|solution pour
alternative à|alternatives à|alternative pour|au lieu de|à la place de|par rapport à|fabricants de|fabricant de|fournisseurs de|fournisseur de|vendeurs de|entreprises qui|entreprise qui
écrit en|écrite en|écrits en|écrites en|programmé en|programmée en|codé en|codée en`,
	"es": `busco buscamos buscando necesito necesitamos quiero queremos quisiera gustaría encontrar recomendar recomienda recomiendan recomendación recomendaciones
gracias hola comprar mejor mejores bueno buena buenos buenas barato barata baratos baratas económico económica económicos económicas asequible
cuál cuáles cómo dónde cuándo cuánto puedo puede pueden podemos podría hay existe existen también muy bien alguien algo
en venta|cerca de mí|cerca de aquí|en mi zona
estoy buscando|en busca de|me gustaría|nos gustaría|dónde encontrar|dónde puedo|dónde puedo encontrar|ayúdame a|por favor|hay algún|hay alguna|quién vende|quién ofrece|quién puede|quién hace
algo para|algo que|alguien que|alguien para|más barato|más barata|más baratos|el mejor|la mejor|los mejores|las mejores
quién gestiona|quién opera|quién administra|quién mantiene
una herramienta|qué herramienta|herramienta para|herramientas para|un producto|qué producto|producto para|productos para|un servicio|qué servicio|servicio para|servicios para|una solución|solución para
alternativa a|alternativas a|alternativa para|en lugar de|en vez de|fabricantes de|fabricante de|proveedores de|proveedor de|vendedores de|empresas que|empresa que
escrito en|escrita en|escritos en|escritas en|programado en|programada en`,
	"it": `cerco cerchiamo cercando bisogno voglio vogliamo vorrei vorremmo trovare consigliare consigliate consiglio consigli
grazie ciao comprare migliore migliori miglior buono buona buoni buone economico economica economici economiche conveniente convenienti
quale quali come dove quando quanto posso può possono possiamo potrebbe esiste esistono anche molto bene qualcuno qualcosa
in vendita|vicino a me|nelle vicinanze|nella mia zona
sto cercando|alla ricerca di|ho bisogno di|abbiamo bisogno di|mi piacerebbe|dove trovare|dove posso|dove posso trovare|per favore|per piacere|c è|ci sono|chi vende|chi offre|chi può|chi fa
qualcosa per|qualcosa che|qualcuno che|qualcuno per|più economico|più economica|il migliore|la migliore|i migliori|le migliori
chi gestisce|chi amministra|chi mantiene
uno strumento|quale strumento|strumento per|strumenti per|un prodotto|quale prodotto|prodotto per|prodotti per|un servizio|quale servizio|servizio per|servizi per|una soluzione|soluzione per
alternativa a|alternative a|alternativa per|al posto di|invece di|rispetto a|produttori di|produttore di|fornitori di|fornitore di|venditori di|aziende che|azienda che
scritto in|scritta in|scritti in|scritte in|programmato in|programmata in`,
	"nl": `zoek zoeken gezocht nodig wil willen wilt wens vinden aanbevelen aanbeveling aanbevelingen graag alstublieft alsjeblieft
bedankt hallo kopen beste goede goed goedkoop goedkope goedkoopste betaalbaar betaalbare welke welk waarom wanneer hoeveel iemand
kan kun kunnen kunt mag moeten bestaat bestaan ook zeer erg
te koop|in de buurt|bij mij in de buurt|in mijn buurt
ik zoek|wij zoeken|op zoek naar|ik heb nodig|we hebben nodig|ik wil|ik zou graag|waar kan ik|waar vind ik|waar koop ik|help me|is er|zijn er|wie verkoopt|wie kan|wie doet|wie maakt
wie beheert|wie draait|wie onderhoudt
iets voor|iets dat|iemand die|de beste|het beste|de goedkoopste|een hulpmiddel|een product|welk product|product voor|producten voor|een dienst|welke dienst|dienst voor|diensten voor|een oplossing|oplossing voor
alternatief voor|alternatieven voor|in plaats van|vergeleken met|fabrikanten van|fabrikant van|leveranciers van|leverancier van|verkopers van|bedrijven die|bedrijf dat
geschreven in|geprogrammeerd in`,
}

// trailing are words that only express a request at the end of a query, as in "jenkins
// alternative", "which tracing tools are there" or "printer manufacturers".
var trailing = map[string]string{
	"en": `alternative alternatives replacement replacements please recommendation recommendations tool tools solution solutions product products
project projects option options company companies vendor vendors manufacturer manufacturers supplier suppliers provider providers maker makers seller sellers firm firms service services agency agencies specialist specialists expert experts professional professionals`,
	"de": `alternative alternativen ersatz bitte empfehlung empfehlungen werkzeug werkzeuge lösung lösungen produkt produkte projekt projekte
firma firmen unternehmen hersteller herstellern lieferant lieferanten anbieter anbietern verkäufer händler service services dienstleistung dienstleistungen agentur agenturen spezialist spezialisten experte experten fachmann fachleute profi profis`,
	"fr": `alternative alternatives recommandation recommandations outil outils solution solutions produit produits service services projet projets
entreprise entreprises société sociétés fabricant fabricants fournisseur fournisseurs vendeur vendeurs prestataire prestataires agence agences spécialiste spécialistes expert experts professionnel professionnels`,
	"es": `alternativa alternativas recomendación recomendaciones herramienta herramientas solución soluciones producto productos servicio servicios proyecto proyectos
empresa empresas fabricante fabricantes proveedor proveedores vendedor vendedores agencia agencias especialista especialistas experto expertos profesional profesionales`,
	"it": `alternativa alternative consiglio consigli strumento strumenti soluzione soluzioni prodotto prodotti servizio servizi progetto progetti
azienda aziende produttore produttori fornitore fornitori venditore venditori agenzia agenzie specialista specialisti esperto esperti professionista professionisti`,
	"nl": `alternatief alternatieven aanbeveling aanbevelingen oplossing oplossingen product producten dienst diensten project projecten
bedrijf bedrijven fabrikant fabrikanten leverancier leveranciers verkoper verkopers bureau bureaus specialist specialisten expert experts vakman vakmensen`,
}

// Asks reports whether a folded word is an asking word in any of the languages.
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

// An asker knows the asking words and phrases of a language.
type asker struct{ phrases, trailing map[string]bool }

// newAsker returns the asker for a BCP 47 tag; an empty one is English. A language without a
// list has only its stop words.
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

// Asking returns which words of a text only express a request, such as "looking for".
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

// AsksBehind reports whether a word is meaningless at the end of a query.
func (l *Language) AsksBehind(word string) bool { return l.asker.trailing[word] }
