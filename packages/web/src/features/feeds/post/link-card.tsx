import { ExternalLink } from 'lucide-react'
import type { PreviewView } from './meta.ts'
import style from './post.module.css'

/** What a link leads to. */
export const LinkCard = ({ preview: { url, title, description, provider } }: { readonly preview: PreviewView }) => (
  <a className={style.preview} href={url} rel="noopener nofollow ugc" target="_blank">
    <strong>{title || url}</strong>
    {description && <span className={style.previewText}>{description}</span>}
    <span className={style.previewSite}>
      <ExternalLink aria-hidden="true" /> {provider || new URL(url).hostname}
    </span>
  </a>
)
