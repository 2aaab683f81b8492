const SHAPES = 'g|path|circle|ellipse|line|polyline|polygon|rect'
const NAMES =
  'width|height|viewBox|fill|fill-rule|fill-opacity|clip-rule|stroke|stroke-width|stroke-linecap|stroke-linejoin|stroke-opacity|' +
  'opacity|transform|d|points|cx|cy|r|rx|ry|x|y|x1|y1|x2|y2'
const ATTRIBUTES = `(?:\\s+(?:xmlns="http://www\\.w3\\.org/2000/svg"|(?:${NAMES})="[\\w\\s.,#%()+-]*"))*\\s*`
const DRAWING = new RegExp(`^\\s*<svg${ATTRIBUTES}>(?:\\s*<(?:(?:${SHAPES})${ATTRIBUTES}/?|/(?:${SHAPES}))>)*\\s*</svg>\\s*$`)

/** Whether an SVG consists of plain shapes: no text, style, script, reference or URL. Such an SVG is embedded into pages unchanged. */
export const isSafeSvg = (svg: string): boolean => DRAWING.test(svg)
