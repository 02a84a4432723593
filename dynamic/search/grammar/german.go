package grammar

var german = language{
	vocabulary: vocabulary{
		rangeJoiners: "und bis", spanJoiners: "bis", placeJoiners: "oder und", bothBounds: "und aber", alternatives: "oder", comparedTo: "oder und mit",
		negations: "niemals nie keinem keiner keines ausgenommen", others: "alternative alternativen",
		anything:     "etwas sowas werkzeug werkzeuge produkt produkte dienst dienste programm programme system systeme software plattform plattformen",
		articleWords: "der die das den dem ein eine einen einem einer", definite: "der die das den dem", having: "mit",
		aroundAmounts: "preis preise preisen kosten kostet budget für zu einem", ofAmounts: "von an mit der die das",
		aged:     "alter kind kinder baby babys jungen mädchen personen leute erwachsene jugendliche",
		speaking: "spricht sprechen sprechend sprechende", tongues: "auf in", each: "pro je", but: "aber nur", borderWords: "für mit das die der auf bei",
		atMostBehind: "oder weniger|oder billiger|oder günstiger|max|maximal|höchstens", atLeastBehind: "oder mehr|und mehr|mindestens|minimal", services: "dienstleistungen", products: "produkte", service: "dienstleistung", product: "produkt",
		units:    "stunde=hour std=hour tag=day woche=week monat=month jahr=year nacht=night kopf=person",
		compared: "billiger=price günstiger=price teurer=price leichter=weight schwerer=weight kürzer=length länger=length breiter=width schmaler=width höher=height dicker=thickness dünner=thickness tiefer=depth schneller=speed langsamer=speed älter=age jünger=age lang=length breit=width hoch=height tief=depth dick=thickness schwer=weight schnell=speed alt=age stärker=strength schwächer=strength",
	},
	phrases: []worded{
		{Between, "zwischen|von"},
		{AtMost, "unter|weniger als|billiger als|günstiger als|höchstens|maximal|max|bis|bis zu|nicht mehr als|nicht teurer als|nicht über|leichter als|kürzer als|kleiner als|schmaler als|dünner als|langsamer als|jünger als|leiser als|schwächer als"},
		{AtLeast, "über|mehr als|teurer als|mindestens|minimal|wenigstens|ab|min|nicht weniger als|nicht unter|schwerer als|länger als|größer als|breiter als|höher als|tiefer als|dicker als|schneller als|älter als|lauter als|stärker als"},
		{Located, "in|aus|in der|in den|aus der|aus den|mit Sitz in|hergestellt in"},
		{Near, "nahe|bei|in der Nähe von"},
		{Outside, "außerhalb|außerhalb von"},
		{Made, "von|vom"},
		{OtherThan, "andere als|anderer als|anderes als|anderen als"},
		{Excluding, "ohne|aber ohne|außer|aber nicht|und nicht|weder|noch"},
		{TailExcluding, "kein|keine|keinen|aber kein|aber keine|aber keinen"},
		{CommaExcluding, "nicht"},
		{Similar, "Alternative zu|Alternativen zu|eine Alternative zu|Alternative für|Alternativen für|ähnlich wie|vergleichbar mit|Ersatz für|statt|anstatt|anstelle von"},
		{Like, "wie"},
		{Onsite, "vor Ort"},
		{Comparing, "vergleiche|Vergleich von|Vergleich zwischen|Unterschied zwischen|Unterschiede zwischen|was ist besser"},
		{Against, "verglichen mit|im Vergleich zu|im Vergleich zum|im Vergleich zur|im Vergleich mit"},
	},
}
