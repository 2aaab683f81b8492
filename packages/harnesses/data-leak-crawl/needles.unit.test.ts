import { expect, test } from 'vitest'
import { createNeedles } from './needles.ts'

test('a secret text is found by pieces that no visible text has', () => {
  const { show, hide, tokensIn } = createNeedles<string>()
  show('The harbour is closed on Monday, says the harbour master.')
  expect(hide('The harbour is closed on Monday', 'known')).toBe(false)
  expect(hide('The committee meets at the lighthouse after dark.', 'secret')).toBe(true)
  expect([...tokensIn('They say: The committee meets at the lighthouse.')]).not.toEqual([])
  expect([...tokensIn('The harbour is closed on Monday')]).toEqual([])
})

test('the excerpt of a visible text is visible, although it joins lines', () => {
  const { show, hide, tokensIn } = createNeedles<string>()
  show('Fuel went up by 2 pence.\n\nWe sail.')
  hide('Up by 2 pence. We sail. The committee knows', 'secret')
  expect([...tokensIn('Fuel went up by 2 pence. We sail.')]).toEqual([])
})
