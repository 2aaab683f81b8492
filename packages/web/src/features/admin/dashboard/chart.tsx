import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import UPlot from 'uplot'
import { locale } from '../../../lib/i18n.ts'
import type { Point } from './chart-table.tsx'
import style from './dashboard.module.css'

interface Props {
  readonly label: string
  readonly before: string
  readonly points: readonly Point[]
  readonly compared: boolean
}

const HEIGHT = 260
const seconds = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000

/** Resolves colors at run time, since a canvas does not support CSS variables. */
const color = (element: Element, name: string) => {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const computed = getComputedStyle(probe).color
  probe.remove()
  return computed
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const onTheme = (listener: () => void) => {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  dark.addEventListener('change', listener)
  return () => {
    watch.disconnect()
    dark.removeEventListener('change', listener)
  }
}
const theme = () => `${document.documentElement.dataset['theme'] ?? ''}${dark.matches}`

/** A line chart, with a fainter line for the previous period. The same values are available as a table. */
export const Chart = ({ label, before, points, compared }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const look = useSyncExternalStore(onTheme, theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: redraws when the theme changes
  useEffect(() => {
    const element = place.current
    if (!element) return
    const [accent, second, soft, line] = ['--accent', '--second', '--soft', '--line'].map((name) => color(element, name)) as [
      string,
      string,
      string,
      string,
    ]
    const day = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' })
    const number = new Intl.NumberFormat(locale(), { notation: 'compact' })
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: '12px system-ui' }
    const whole = new Intl.NumberFormat(locale())
    const shown = (_plot: UPlot, value: number | null) => (value === null ? '' : whole.format(value))
    const series: UPlot.Series[] = [
      { label: '\u00a0', value: (_plot, value) => (value === null ? '' : day.format(value * 1000)) },
      {
        label,
        value: shown,
        stroke: accent,
        width: 2,
        fill: `color-mix(in srgb, ${accent} 12%, transparent)`,
        points: { show: points.length < 40 },
      },
    ]
    if (compared) series.push({ label: before, value: shown, stroke: second, width: 1.5, dash: [5, 5], points: { show: false } })
    const data: UPlot.AlignedData = [points.map(({ date }) => seconds(date)), points.map(({ value }) => value)]
    if (compared) data.push(points.map((point) => point.before))
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        series,
        tzDate: (time) => UPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, Math.ceil((max ?? 0) * 1.1))] } },
        axes: [
          { ...axis, values: (_plot, values) => values.map((value) => day.format(value * 1000)), space: 70 },
          { ...axis, values: (_plot, values) => values.map((value) => (Number.isInteger(value) ? number.format(value) : '')), size: 44 },
        ],
        cursor: { drag: { x: false, y: false } },
      },
      data,
      element,
    )
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [label, before, points, compared, look])
  return <div ref={place} className={style.chart} aria-hidden="true" dir="ltr" />
}
