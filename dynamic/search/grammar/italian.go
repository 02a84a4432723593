package grammar

var italian = language{
	vocabulary: vocabulary{
		rangeJoiners: "e a", placeJoiners: "o e", bothBounds: "e ma", alternatives: "o", comparedTo: "o e con a",
		negations: "mai", others: "alternativa alternative",
		anything:     "qualcosa strumento strumenti servizio servizi prodotto prodotti programma programmi sistema sistemi piattaforma piattaforme",
		articleWords: "il lo la gli le l un uno una", definite: "il lo la gli le l i", having: "con",
		aroundAmounts: "prezzo prezzi costa costano costo tariffa budget per a", ofAmounts: "di del della con un una il la è",
		aged:     "età bambino bambini bambina bambine neonati ragazzi persone persona adulti",
		speaking: "parla parlano parlante", tongues: "in", each: "per al all alla", but: "ma solo", borderWords: "per con che su",
		atMostBehind: "o meno|massimo|al massimo", atLeastBehind: "o più|minimo|almeno", services: "servizi", products: "prodotti", service: "servizio", product: "prodotto",
		units:    "ora=hour giorno=day settimana=week mese=month anno=year notte=night persona=person",
		compared: "economico=price economica=price caro=price cara=price costoso=price costosa=price leggero=weight leggera=weight pesante=weight corto=length corta=length lungo=length lunga=length largo=width larga=width stretto=width stretta=width alto=height alta=height spesso=thickness sottile=thickness profondo=depth veloce=speed lento=speed lenta=speed vecchio=age giovane=age potente=strength",
	},
	phrases: []worded{
		{Between, "tra|fra|da"},
		{AtMost, "meno di|a meno di|per meno di|sotto|sotto i|sotto gli|al di sotto di|inferiore a|fino a|massimo|max|al massimo|non più di|più economico di|più economica di|più leggero di|più leggera di|più corto di|più corta di|più piccolo di|più piccola di|più stretto di|più stretta di|più sottile di|più lento di|più lenta di|più giovane di|più silenzioso di|più silenziosa di|meno potente di"},
		{AtLeast, "più di|oltre|oltre i|oltre gli|sopra|sopra i|sopra gli|almeno|minimo|min|come minimo|a partire da|da|superiore a|non meno di|più caro di|più cara di|più costoso di|più costosa di|più pesante di|più lungo di|più lunga di|più grande di|più largo di|più larga di|più alto di|più alta di|più spesso di|più profondo di|più veloce di|più vecchio di|più rumoroso di|più potente di"},
		{Located, "a|in|nel|nella|di|da|dal|dalla|con sede a|con sede in|fatto in|prodotto in|prodotti in"},
		{Near, "vicino a|nei pressi di"},
		{Outside, "fuori da|fuori dal|fuori dalla|al di fuori di"},
		{Made, "da|di|prodotto da|venduto da"},
		{OtherThan, "diverso da|diversa da|diversi da|diverse da"},
		{Excluding, "senza|ma senza|tranne|eccetto|salvo|ma non|e non|né"},
		{TailExcluding, "nessun|nessuna"},
		{CommaExcluding, "non"},
		{Similar, "alternativa a|alternative a|un alternativa a|alternativa per|alternative per|simile a|simili a|paragonabile a|sostituto di|al posto di|invece di"},
		{Like, "come"},
		{Onsite, "in loco|sul posto|a domicilio"},
		{Comparing, "confronta|confrontare|confronto tra|confronto fra|differenza tra|differenze tra"},
		{Against, "rispetto a|in confronto a|paragonato a"},
	},
}
