import { searchText } from '../../../server/src/content/plain-text.ts'
import { type ContentType, render } from '../../../server/src/content/render.ts'
import { slugify, slugSource } from '../../../server/src/content/slug.ts'
import type { Post } from '../plan/rows.ts'
import type { Renaming } from './free-names.ts'

/** Renders a post. This is slow, so it happens outside of the transaction. */
export const finishPost = (post: Pick<Post, 'title' | 'message' | 'content_type'>, isSurvey: boolean, renaming: Renaming) => {
  const title = renaming.text(post.title)
  const message = renaming.text(post.message)
  const content_type: ContentType = isSurvey ? 'survey' : post.content_type
  const html = render(message, content_type, { mentions: renaming.everybody })
  return { title, message, content_type, html, text: searchText(title, html), slug: slugify(slugSource(title, message)) || 'feed' }
}

export const finishComment = (message: string, renaming: Renaming) => {
  const text = renaming.text(message)
  return { text, html: render(text, 'text', { mentions: renaming.everybody }) }
}
