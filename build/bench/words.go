package main

import (
	"math/rand/v2"
	"strings"
)

// The words of which all names and texts are made. None of them needs quotes
// in YAML or escapes in Markdown.
var (
	adjectives = strings.Fields(`quiet steady amber swift hardy gentle narrow bright patient folding modular sealed compact
		double nimble sturdy rapid soft precise portable heavy silver crimson curious hollow even frugal honest
		level mellow northern plain round simple tall upright vivid willing young able broad calm dense early`)
	things = strings.Fields(`gripper arm conveyor sensor feeder camera gauge welder press pump valve scanner lathe
		cutter sorter mixer printer spindle actuator drive motor caliper balance burner cooler dryer filter
		labeller mill oven palletiser reel saw shears turntable vice winch torch tester stacker screwdriver`)
	works = strings.Fields(`installation calibration repair training inspection retrofit programming relocation
		commissioning maintenance audit rental testing design assembly cleaning certification migration`)
	trades = strings.Fields(`farms foundries dairies bakeries laboratories boatyards printers vineyards workshops
		orchards quarries sawmills breweries clinics garages kitchens mills nurseries observatories potteries`)
	uses = strings.Fields(`lifts turns weighs sorts seals counts measures polishes cuts fills labels dries cools
		warms carries stacks tests welds drills presses rinses packs winds folds`)
	objects = strings.Fields(`bottles panels bearings crates loaves castings lenses tiles cables cheeses boards rings
		cartons gears jars pipes plates seedlings springs tubes wheels yokes stones frames`)
	nuisances = strings.Fields(`noise dust air tools supervision waiting grease paperwork vibration drawings
		interruptions fumes scaffolding guesswork overtime excuses`)
	forenames = strings.Fields(`Amber Birch Copper Delta Ember Falcon Granite Harbour Iron Juniper Kestrel Linden
		Meridian North Osprey Pine Quarry River Saddle Timber Upland Vesper Willow Yarrow Zephyr`)
	surnames = strings.Fields(`Works Forge Robotics Instruments Machines Tools Systems Dynamics Controls Automation
		Engineering Metrology Motion Handling Devices Supply Craft Mechanics Vision Drives`)
	people = strings.Fields(`Ada Bruno Carla Dimitri Elif Farid Greta Hugo Ines Jonas Kaya Lena Milo Nadia Oskar
		Petra Quentin Rosa Samir Tilda Ulrik Vera Wanda Yusuf Zora`)
	families = strings.Fields(`Aalto Brandt Castellan Drummond Eriksen Fontaine Grieve Holub Ibarra Janssen Kowal
		Lindqvist Moreau Novak Okafor Pellegrin Quist Rossi Sandoval Tanaka`)
	sections  = strings.Fields(`Delivery Mounting Upkeep Safety Limits Warranty Accessories Training Data Power`)
	attribute = []string{"Payload", "Reach", "Weight", "Width", "Height", "Supply", "Power", "Speed", "Accuracy", "Noise",
		"Temperature", "Pressure", "Protection", "Interface", "Material", "Lifetime", "Warranty", "Cable"}
	units      = []string{"kg", "mm", "kg", "mm", "mm", "V", "W", "mm/s", "mm", "dB", "K", "bar"}
	materials  = strings.Fields(`steel aluminium brass oak ceramic nylon glass titanium bronze silicone`)
	currencies = strings.Fields(`EUR EUR EUR USD CHF GBP SEK JPY`)
	languages  = strings.Fields(`en de fr it nl sv pl es pt-BR ja`)
	cities     = []string{"Utrecht NL", "Graz AT", "Lyon FR", "Turin IT", "Malmö SE", "Leeds GB", "Bern CH", "Porto PT",
		"Gdynia PL", "Dayton US", "Osaka JP", "Halifax CA", "Bergen NO", "Aarhus DK", "Cork IE", "Bilbao ES"}
	proofKinds = strings.Fields(`certification award customer caseStudy review publication`)
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// capital writes the first letter of an ASCII word large.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// slugOf returns the slug of a name made of these words.
func slugOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// sentence returns some fifteen words that make sense from afar.
func sentence(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return "A " + pick(r, adjectives) + " " + pick(r, things) + " for " + pick(r, trades) + " that " + pick(r, uses) + " " +
			pick(r, objects) + " and " + pick(r, uses) + " " + pick(r, objects) + ", without " + pick(r, nuisances) + "."
	case 1:
		return capital(pick(r, uses)) + " " + pick(r, adjectives) + " " + pick(r, objects) + " all day, asks for no " +
			pick(r, nuisances) + " and leaves the " + pick(r, things) + " to those who like it."
	case 2:
		return "Made for " + pick(r, trades) + " and " + pick(r, trades) + " where a " + pick(r, adjectives) + " " + pick(r, things) +
			" has to do with little " + pick(r, nuisances) + "."
	}
	return "Every " + pick(r, things) + " needs its " + pick(r, things) + ": this " + pick(r, adjectives) + " one " + pick(r, uses) + " " +
		pick(r, objects) + " in " + pick(r, trades) + " of any size."
}

// paragraph returns a number of sentences.
func paragraph(r *rand.Rand, sentences int) string {
	all := make([]string, sentences)
	for i := range all {
		all[i] = sentence(r)
	}
	return strings.Join(all, " ")
}
