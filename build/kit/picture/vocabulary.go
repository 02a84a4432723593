package picture

import (
	"regexp"
	"strings"
)

// The parts of a published drawing: SVG 1.1 and 2 without scripts, animation, links and
// foreign content. Everything else is removed.
var (
	elements = words(`
		svg g defs symbol use switch a title desc
		path rect circle ellipse line polyline polygon image text tspan textPath
		linearGradient radialGradient stop pattern clipPath mask marker filter
		feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
		feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
		feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

	// textual elements contain text.
	textual = words(`a title desc text tspan textPath`)

	// labels contain only text. Removing unseen elements needs no warning.
	labels    = words(`title desc`)
	invisible = words(`metadata style`)

	// attributes cannot be set by a style.
	attributes = words(`
		id role lang xml:lang xml:space aria-label aria-labelledby aria-describedby aria-hidden systemLanguage requiredExtensions media
		viewBox preserveAspectRatio transform x y width height cx cy r rx ry d points pathLength x1 y1 x2 y2 fx fy fr offset
		gradientTransform gradientUnits spreadMethod patternTransform patternUnits patternContentUnits
		clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
		dx dy rotate textLength lengthAdjust startOffset method spacing side
		filterUnits primitiveUnits in in2 result type values mode operator k1 k2 k3 k4 stdDeviation
		order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha kernelUnitLength
		surfaceScale diffuseConstant specularConstant specularExponent limitingConeAngle
		azimuth elevation z pointsAtX pointsAtY pointsAtZ scale xChannelSelector yChannelSelector
		radius baseFrequency numOctaves seed stitchTiles tableValues slope intercept amplitude exponent`)

	// properties can be set by an attribute or a style.
	properties = words(`
		alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
		color-rendering direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
		font-family font-size font-size-adjust font-stretch font-style font-variant font-weight image-rendering
		letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type opacity overflow paint-order
		shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
		stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering transform-origin
		unicode-bidi vector-effect visibility white-space word-spacing writing-mode`)

	// styles are properties that only a style can set, or that mean something else in a
	// style.
	styles = words(`
		x y width height cx cy r rx ry background background-color font-feature-settings font-kerning font-variation-settings isolation mix-blend-mode text-transform
		transform transform-box`)

	// shorthands set several properties.
	shorthands = map[string]struct {
		value     *regexp.Regexp
		longhands []longhand
	}{
		"marker": {regexp.MustCompile(`.+`), []longhand{{"marker-start", "$0"}, {"marker-mid", "$0"}, {"marker-end", "$0"}}},
		"font": {
			regexp.MustCompile(`^(?:(?:(italic|oblique)|(bold|bolder|lighter|\d+)|(small-caps)|normal) )*([\w.%-]+)(?:/[\w.%-]+)? (.+)$`),
			[]longhand{{"font-style", "$1"}, {"font-weight", "$2"}, {"font-variant", "$3"}, {"font-size", "$4"}, {"font-family", "$5"}},
		},
	}
)

// A longhand is a property that a shorthand sets, and its part of the value.
type longhand struct{ property, value string }

// prefixes maps the namespaces of attributes to prefixes. XLink's is often used without a
// declaration.
var prefixes = map[string]string{
	"": "", "http://www.w3.org/XML/1998/namespace": "xml:", "http://www.w3.org/1999/xlink": "xlink:", "xlink": "xlink:",
}

// screenMedia are the media of the style sheets that are read.
var screenMedia = map[string]bool{"": true, "all": true, "screen": true}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

var (
	// plainValue matches the allowed values of properties.
	plainValue = regexp.MustCompile(`(?i)^(?:[\w\s#%.,+/"'-]|[^\x00-\x7f]|` + urlPattern +
		`|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|matrix|translate[xy]?|scale[xy]?|rotate|skew[xy]?` +
		`|polygon|circle|ellipse|inset|path|rect)\(|\))*$`)
	urlReference = regexp.MustCompile(`(?i)` + urlPattern)
	// hrefReference matches a reference to an element. It excludes percent signs, so that
	// every element has one name.
	hrefReference = regexp.MustCompile(`^\s*#([^\s%]+)\s*$`)
	// simpleSelector matches one class, element or id.
	simpleSelector = regexp.MustCompile(`^[.#]?[\pL_-][\pL\d_-]*$`)
	// entity matches the declaration of an entity that stands for plain text.
	entity = regexp.MustCompile(`<!ENTITY\s+([\pL_][\w.-]*)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>`)
)

const urlPattern = `url\(\s*["']?#([^\s%()"'\\]+)["']?\s*\)`
