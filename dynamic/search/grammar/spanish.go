package grammar

var spanish = language{
	vocabulary: vocabulary{
		rangeJoiners: "y a hasta", placeJoiners: "o y e u", bothBounds: "y pero", alternatives: "o u", comparedTo: "o y con a",
		negations: "nunca jamás", others: "alternativa alternativas",
		anything:     "algo herramienta herramientas servicio servicios producto productos programa programas sistema sistemas plataforma plataformas",
		articleWords: "el la los las un una unos unas", definite: "el la los las", having: "con",
		aroundAmounts: "precio precios cuesta cuestan coste tarifa presupuesto por para", ofAmounts: "de del con un una el la es",
		aged:     "edad niño niños niña niñas bebé bebés personas persona adultos quienes",
		speaking: "habla hablan hable", tongues: "en", each: "por", but: "pero solo", borderWords: "para con que en sobre por",
		atMostBehind: "o menos|máximo|como máximo", atLeastBehind: "o más|mínimo|como mínimo", services: "servicios", products: "productos", service: "servicio", product: "producto",
		units:    "hora=hour día=day semana=week mes=month año=year noche=night persona=person",
		compared: "barato=price barata=price caro=price cara=price ligero=weight ligera=weight pesado=weight pesada=weight corto=length corta=length largo=length larga=length ancho=width ancha=width estrecho=width estrecha=width alto=height alta=height grueso=thickness fino=thickness profundo=depth rápido=speed rápida=speed lento=speed lenta=speed joven=age potente=strength",
	},
	phrases: []worded{
		{Between, "entre|de|desde"},
		{AtMost, "menos de|por menos de|por debajo de|debajo de|bajo|inferior a|hasta|máximo|max|como máximo|como mucho|no más de|más barato que|más barata que|más ligero que|más ligera que|más corto que|más corta que|más pequeño que|más pequeña que|más estrecho que|más estrecha que|más fino que|más lento que|más lenta que|más joven que|más silencioso que|más silenciosa que|menos potente que"},
		{AtLeast, "más de|al menos|por lo menos|mínimo|min|como mínimo|a partir de|desde|por encima de|superior a|no menos de|más caro que|más cara que|más pesado que|más pesada que|más largo que|más larga que|más grande que|más ancho que|más ancha que|más alto que|más alta que|más grueso que|más profundo que|más rápido que|más rápida que|mayor que|más ruidoso que|más potente que"},
		{Located, "en|de|del|desde|con sede en|ubicado en|hecho en|hechos en|fabricado en|fabricados en"},
		{Near, "cerca de"},
		{Outside, "fuera de"},
		{Made, "por|de|hecho por|vendido por"},
		{OtherThan, "distinto de|distintos de|distinta de|distintas de"},
		{Excluding, "sin|pero sin|salvo|excepto|pero no|y no|ni"},
		{TailExcluding, "ningún|ninguna|nada de"},
		{CommaExcluding, "no"},
		{Similar, "alternativa a|alternativas a|una alternativa a|alternativa para|alternativas para|similar a|similares a|parecido a|parecida a|parecidos a|comparable a|sustituto de|en lugar de|en vez de"},
		{Like, "como"},
		{Onsite, "in situ|a domicilio"},
		{Comparing, "comparar|comparación de|comparación entre|diferencia entre|diferencias entre"},
		{Against, "comparado con|comparada con|en comparación con|frente a"},
	},
}
