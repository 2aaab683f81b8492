import { expect, test } from 'vitest'
import { BusyError } from '../util/semaphore.ts'
import { createAccountPasswords } from './account-password.ts'

const cheap = createAccountPasswords({ logN: 4 })

test('the right password is accepted and no other', async () => {
  const stored = await cheap.hashPassword('quiet river 7431')
  expect(stored).toMatch(/^\$scrypt\$ln=4,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await cheap.verifyPassword('quiet river 7431', stored)).toBe(true)
  for (const wrong of ['', 'quiet river 7432', 'Quiet river 7431', 'quiet river 7431 '])
    expect(await cheap.verifyPassword(wrong, stored)).toBe(false)
})

test('two hashes of one password differ', async () => {
  expect(await cheap.hashPassword('quiet river 7431')).not.toBe(await cheap.hashPassword('quiet river 7431'))
})

test('a character typed as one code point or as two is the same', async () => {
  const stored = await cheap.hashPassword('caf\u00e9 au lait')
  expect(await cheap.verifyPassword('cafe\u0301 au lait', stored)).toBe(true)
})

test('no account, a damaged hash and an endless password are rejected', async () => {
  const stored = await cheap.hashPassword('x'.repeat(256))
  expect(await cheap.verifyPassword('x'.repeat(256), stored)).toBe(true)
  expect(await cheap.verifyPassword('x'.repeat(257), stored)).toBe(false)
  for (const damaged of [null, '', 'x', stored.slice(0, -30), stored.replace('ln=4', 'ln=30'), stored.replace('p=3', 'p=0')])
    expect(await cheap.verifyPassword('x'.repeat(256), damaged)).toBe(false)
})

test('an unknown account costs as much as a known one', async () => {
  const passwords = createAccountPasswords({ logN: 12 })
  const stored = await passwords.hashPassword('quiet river 7431')
  const cost = async (hash: string | null) => {
    const times: number[] = []
    for (let i = 0; i < 9; i += 1) {
      const start = performance.now()
      await passwords.verifyPassword('wrong river 7431', hash)
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
  const [known, unknown] = [await cost(stored), await cost(null)]
  expect(unknown).toBeGreaterThan(known / 3)
  expect(unknown).toBeLessThan(known * 3)
})

test('by default N is 2^15 and older, cheaper hashes still verify', async () => {
  const passwords = createAccountPasswords()
  const [old, today] = await Promise.all([cheap.hashPassword('quiet river 7431'), passwords.hashPassword('quiet river 7431')])
  expect(today).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  expect(await passwords.verifyPassword('quiet river 7431', today)).toBe(true)
  expect(await passwords.verifyPassword('quiet river 7431', old)).toBe(true)
  expect([old, today, 'x'].map(passwords.needsRehash)).toEqual([true, false, true])
  expect([old, today].map(cheap.needsRehash)).toEqual([false, false])
})

test('a flood is rejected immediately instead of queueing without limit', async () => {
  const passwords = createAccountPasswords({ logN: 10, concurrent: 2, waiting: 3 })
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.verifyPassword('quiet river 7431', null)))
  expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), ...Array(3).fill('rejected')])
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused.every((error) => error instanceof BusyError && error.code === 'busy')).toBe(true)
  expect(await passwords.verifyPassword('quiet river 7431', null)).toBe(false)
})
