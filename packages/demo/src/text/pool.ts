import { mix, type Random } from '../random.ts'
import { compile, render, type Setting, type Template } from './template.ts'

/** Templates for one purpose. */
export interface Pool {
  templates: readonly Template[]
  /** Has no divisor in common with the number of templates, so that strides of it visit all of them. */
  step: number
}

export function pool(sources: readonly string[]): Pool {
  const count = sources.length
  let step = Math.max(1, Math.round(count * 0.38))
  while (divisor(step, count) > 1) step++
  return { templates: sources.map(compile), step }
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

export function any(from: Pool, setting: Setting): string {
  return render(setting.random.pick(from.templates), setting)
}

/** The n-th of a thread: none comes twice before all have come. */
export function nth(from: Pool, n: number, setting: Setting): string {
  const count = from.templates.length
  return render(from.templates[(mix(setting.frame, count) + n * from.step) % count]!, setting)
}

/** Some different ones, in the order of the pool. */
export function several(from: Pool, count: number, setting: Setting): string[] {
  const total = from.templates.length
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, total)) chosen.add(setting.random.int(0, total - 1))
  return [...chosen].map((index) => render(from.templates[index]!, setting))
}

/** An index by weight; all weights together are positive. */
export function weighted(random: Random, weights: readonly number[]): number {
  let sum = 0
  for (const weight of weights) sum += weight
  let left = random.float() * sum
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i]!
    if (left < 0) return i
  }
  return weights.length - 1
}
