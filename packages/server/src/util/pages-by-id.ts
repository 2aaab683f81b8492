/** Reads pages of up to `size` rows in the order of their ids; `read` returns the page after an id. */
export async function* pagesById<R extends { readonly id: number }>(
  size: number,
  read: (after: number) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for (let after = 0; ; ) {
    const page = await read(after)
    yield page
    const last = page.at(-1)
    if (!last || page.length < size) return
    after = last.id
  }
}
