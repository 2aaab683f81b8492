import { expect, test } from 'vitest'
import { cpuTime } from '#test/cpu-time.ts'
import { commonPasswords, passwordProblem } from './password-policy.ts'

const me = { username: 'ada_lovelace', email: 'ada.king@example.org' }
const problem = (password: string, who = me) => passwordProblem(password, who)

test.each([
  'Quiet-river-7431',
  'Quiet-p4f9a2c1-7431',
  'correct river staple wax',
  'tr0ub4dor&3x',
  'kB7$wq92LmPz',
  'monkey-8491372',
  'defiant stupid nopals',
  'пароль из трёх слов',
  '十个以上的汉字才算是密码吧',
  'x'.repeat(20).concat('quiet river 7431 with a lot of further text'),
  'Lovelace likes 17 engines',
  '🦊🐢🦉🐝🦆🐌🦎🐙🦀🐧',
])('%s is accepted', (password) => {
  expect(problem(password)).toBeNull()
})

test('length is counted in characters, with a minimum and a maximum', () => {
  expect(problem('kB7$wq92L')).toMatch('at least 10')
  expect(problem('🦊🐢🦉🐝🦆')).toMatch('at least 10')
  expect(problem('kB7$wq92Lm')).toBeNull()
  expect(problem('kB7$wq92Lm-quiet'.repeat(16))).toBeNull()
  expect(problem(`${'kB7$wq92Lm-quiet'.repeat(16)}x`)).toMatch('at most 256')
})

test.each([
  'password123',
  'PASSWORD123',
  'p@ssw0rd2024',
  'P@$$w0rd!!',
  'Passw0rd12!',
  'qwerty123456',
  'Welcome2025!',
  'Summer2024!!',
  'letmein12345',
  '!!monkey!!12',
  'administrator',
  'iloveyou1234',
  'Lyceum2026!',
  'correcthorsebatterystaple',
  'liverpool123',
  'Sunshine#99',
])('%s is common', (password) => {
  expect(problem(password)).toMatch('common')
})

test('every listed password is refused in any case', () => {
  expect(commonPasswords().size).toBeGreaterThan(500)
  expect([...commonPasswords()].filter((password) => [...password].length < 10)).toEqual([])
  expect([...commonPasswords()].filter((password) => problem(password) === null || problem(password.toUpperCase()) === null)).toEqual([])
})

test.each([
  'zzzzzzzzzzzzz',
  'aabbaabbab',
  'xk7xk7xk7xk7',
  'river9river9',
  '24680246802468',
  '2345678901',
  'bcdefghijkl',
  'zyxwvutsrq',
  'rtyuiopasdf',
  'lkjhgfdsapoi',
  '3edc4rfv5tgb',
  'abcd1234efgh',
  '4r3e2w1qasdf',
  '!@#$%^&*()x',
  'mnbvcxz0987',
])('%s is easy to guess', (password) => {
  expect(problem(password)).toMatch('easy to guess')
})

test.each(['ada_lovelace', 'ADA_Lovelace', 'Ada.King@Example.org', 'ada_lovelace1', '1ada_lovelace!!', 'ada_lovelaceada_lovelace'])(
  '%s is the name of its owner',
  (password) => {
    expect(problem(password)).toMatch('username or email')
  },
)

test('the part before the @ counts, a missing email does not', () => {
  expect(problem('the.mathematician', { username: 'ada', email: 'the.mathematician@example.org' })).toMatch('username or email')
  expect(problem('Quiet-river-7431', { username: '', email: '' })).toBeNull()
})

test('a long hostile text is checked quickly', () => {
  const texts = ['1q'.repeat(128), `${'!'.repeat(255)}a`, 'qwertyuiop'.repeat(25), `${'ab'.repeat(127)}c`, '1'.repeat(100_000)]
  const start = cpuTime()
  for (const text of texts) problem(text)
  expect(cpuTime() - start).toBeLessThan(200)
})
