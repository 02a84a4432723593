package grammar

var dutch = language{
	vocabulary: vocabulary{
		rangeJoiners: "en tot", spanJoiners: "tot", placeJoiners: "of en", bothBounds: "en maar", alternatives: "of", comparedTo: "of en met",
		negations: "nooit", others: "alternatief alternatieven",
		anything:     "iets dienst diensten product producten programma systeem systemen software platform",
		articleWords: "de het een", definite: "de het", having: "met",
		aroundAmounts: "prijs prijzen kost kosten tarief budget voor", ofAmounts: "van met een de het is",
		aged:     "leeftijd kind kinderen baby jongens meisjes mensen personen persoon volwassenen",
		speaking: "spreekt spreken sprekend sprekende", tongues: "in", each: "per", but: "maar alleen", borderWords: "voor met dat die op bij",
		atMostBehind: "of minder|of goedkoper|max|maximaal|hoogstens", atLeastBehind: "of meer|en meer|minimaal|minstens", services: "diensten", products: "producten", service: "dienst", product: "product",
		units:    "uur=hour dag=day week=week maand=month jaar=year nacht=night persoon=person",
		compared: "goedkoper=price duurder=price lichter=weight zwaarder=weight korter=length langer=length breder=width smaller=width hoger=height dikker=thickness dunner=thickness dieper=depth sneller=speed langzamer=speed ouder=age jonger=age lang=length breed=width hoog=height diep=depth dik=thickness zwaar=weight snel=speed oud=age sterker=strength zwakker=strength",
	},
	phrases: []worded{
		{Between, "tussen|van"},
		{AtMost, "onder|onder de|minder dan|voor minder dan|lager dan|goedkoper dan|maximaal|max|maximum|hoogstens|ten hoogste|tot|niet meer dan|niet duurder dan|lichter dan|korter dan|kleiner dan|smaller dan|dunner dan|langzamer dan|jonger dan|stiller dan|zwakker dan"},
		{AtLeast, "boven|boven de|meer dan|minstens|ten minste|minimaal|min|minimum|vanaf|niet minder dan|duurder dan|zwaarder dan|langer dan|groter dan|breder dan|hoger dan|dikker dan|dieper dan|sneller dan|ouder dan|luider dan|sterker dan"},
		{Located, "in|uit|te|vanuit|gevestigd in|gemaakt in"},
		{Near, "bij|vlakbij|in de buurt van"},
		{Outside, "buiten"},
		{Made, "van|door|gemaakt door|verkocht door"},
		{OtherThan, "andere dan|anders dan"},
		{Excluding, "zonder|maar zonder|behalve|uitgezonderd|maar niet|en niet"},
		{TailExcluding, "geen|maar geen"},
		{CommaExcluding, "niet"},
		{Similar, "alternatief voor|alternatieven voor|een alternatief voor|vergelijkbaar met|vervanging voor|in plaats van"},
		{Like, "zoals"},
		{Onsite, "op locatie|ter plaatse|aan huis"},
		{Comparing, "vergelijk|vergelijking van|vergelijking tussen|verschil tussen|verschillen tussen"},
		{Against, "vergeleken met|in vergelijking met"},
	},
}
