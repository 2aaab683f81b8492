const PASSWORD = 'Quiet-river-7431'

type Session = Readonly<Record<string, string>>

const call = async <T>(
  origin: string,
  session: Session,
  method: string,
  path: string,
  body?: object,
): Promise<T & { headers: Headers }> => {
  const response = await fetch(`${origin}/api/v2${path}`, {
    method,
    headers: { ...session, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return { ...(JSON.parse(text) as T), headers: response.headers }
}

/** Opens the setup link as a browser does, and creates the account of the administrator. Throws if the page or its program is missing. */
export const setUp = async (origin: string, setupLink: string): Promise<void> => {
  const { pathname, search, searchParams } = new URL(setupLink)
  const page = await (await fetch(origin + pathname + search, { headers: { accept: 'text/html' } })).text()
  const program = /<script type="module"[^>]* src="([^"]+\.js)"/.exec(page)?.[1]
  if (!program) throw new Error(`the setup page does not load the web app: ${page.slice(0, 500)}`)
  const script = await fetch(new URL(program, origin))
  if (!script.headers.get('content-type')?.includes('javascript')) throw new Error(`${program}: ${script.status}`)

  const account = { username: 'ana', email: 'ana@example.org', password: PASSWORD }
  await call(origin, {}, 'POST', '/auth/setup', { token: searchParams.get('token'), ...account })
}

/** Signs in as the administrator, publishes a post if one is given, and returns the texts of all posts, newest first. */
export const posts = async (origin: string, message?: string): Promise<string[]> => {
  const { nonce, headers } = await call<{ nonce: string }>(origin, {}, 'POST', '/auth/login', { login: 'ana', password: PASSWORD })
  const session = { cookie: headers.getSetCookie()[0]?.split(';', 1)[0] ?? '', 'x-lyceum-nonce': nonce }
  if (message !== undefined) await call(origin, session, 'POST', '/feeds', { message })
  const { feeds } = await call<{ feeds: { data: { message: string }[] } }>(origin, session, 'GET', '/feeds')
  return feeds.data.map((feed) => feed.message)
}
