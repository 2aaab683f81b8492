import { expect, test } from 'vitest'
import { growthUnder, SLOW_READERS } from './slow-readers.ts'
import { setResources } from './stage.ts'

test('measure', { timeout: 600_000 }, async () => {
  const t0 = performance.now()
  const stage = await setResources({})
  console.log('set', performance.now() - t0)
  for (const readers of SLOW_READERS)
    for (const accounts of [1, 6]) {
      const g = await growthUnder(stage, readers, 300, accounts, 4)
      const m = await (await fetch(`${stage.crowd.origin}/metrics`)).text()
      console.log(
        readers.name,
        accounts,
        Math.round(g),
        m.match(/^lyceum_unsent.*$/gm),
        m.match(/^lyceum_nodejs_eventloop_lag_(p99|max).*$/gm),
      )
      console.log(stage.server.said().slice(-500))
    }
  await stage.strike()
  expect(1).toBe(1)
})
