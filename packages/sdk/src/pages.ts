type Lists = (input: never) => Promise<unknown>
type InputOf<C extends Lists> = NonNullable<Parameters<C>[0]>

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Input for the next page; null if there is none. */
const nextOf = (answer: unknown): Members | null => {
  const places = isObject(answer) ? [answer, ...Object.values(answer).filter(isObject)] : []
  for (const { next_cursor: cursor, current_page: page, per_page: size, total } of places) {
    if (typeof cursor === 'string') return { cursor, page: undefined }
    if (cursor === null) return null
    if (typeof page === 'number' && typeof size === 'number' && typeof total === 'number')
      return page * size < total ? { page: page + 1 } : null
  }
  throw new TypeError('The response does not say whether there are more pages.')
}

/**
 * Iterates over the pages of a list, one request each, starting at `input.page`. Cursors are used where the server returns them,
 * so that no entry is skipped or repeated while the list changes.
 *
 *     for await (const { feeds } of pages(client.feeds.list, { space: 'garden' })) for (const feed of feeds.data) …
 */
export async function* pages<C extends Lists>(
  call: C & (keyof InputOf<C> & ('page' | 'cursor') extends never ? never : unknown),
  input: Omit<InputOf<C>, 'cursor'> = {} as InputOf<C>,
): AsyncGenerator<Awaited<ReturnType<C>>> {
  const ask = call as unknown as (input: Members) => Promise<Awaited<ReturnType<C>>>
  for (let next: Members | null = {}; next !== null; ) {
    const answer: Awaited<ReturnType<C>> = await ask({ ...(input as Members), ...next })
    yield answer
    next = nextOf(answer)
  }
}
