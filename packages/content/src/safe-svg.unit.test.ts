import { expect, test } from 'vitest'
import { cpuTime } from '#test/cpu-time.ts'
import { isSafeSvg } from './safe-svg.ts'

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none"><path d="M12 2v20M2 12h20" stroke="#f00" stroke-width="2"/></svg>',
  '<svg viewBox="0 0 9 9">\n  <g transform="rotate(45 4 4)"><circle cx="4" cy="4" r="3"></circle></g>\n</svg>',
])('plain shapes are safe: %s', (svg) => {
  expect(isSafeSvg(svg)).toBe(true)
})

test.each([
  'hello',
  '<svg onload="alert(1)"></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a href="javascript:alert(1)"><path d="M0 0"/></a></svg>',
  '<svg><use href="#x"/></svg>',
  '<svg><image href="https://example.org/x.png"/></svg>',
  '<svg><foreignObject></foreignObject></svg>',
  '<svg><path style="fill:red"/></svg>',
  '<svg><path fill="url(https://example.org/x)"/></svg>',
  '<svg>text</svg>',
  '<svg><path d="M0 0"/></svg><img src=x onerror=alert(1)>',
  "<svg><path d='M0 0' onclick='x'/></svg>",
])('anything else is unsafe: %s', (svg) => {
  expect(isSafeSvg(svg)).toBe(false)
})

test('a long text that is almost safe is rejected quickly', () => {
  const started = cpuTime()
  expect(isSafeSvg(`<svg>${' <path d="M0 0" />'.repeat(250)}${' '.repeat(2000)}x`)).toBe(false)
  expect(isSafeSvg(`<svg${' fill="#fff"'.repeat(400)} `)).toBe(false)
  expect(cpuTime() - started).toBeLessThan(200)
})
