import { ExternalLink } from 'lucide-react'
import type { PreviewView } from './meta.ts'
import style from './post.module.css'

/** What a link leads to. The site is read from the address: what the page or a client calls itself may be forged. */
export const LinkCard = ({ preview: { url, title, description } }: { readonly preview: PreviewView }) => (
  <a className={style.preview} href={url} rel="noopener nofollow ugc" target="_blank">
    <strong>{title || url}</strong>
    {description && <span className={style.previewText}>{description}</span>}
    <span className={style.previewSite}>
      <ExternalLink aria-hidden="true" /> {new URL(url).hostname.replace(/^www\./, '')}
    </span>
  </a>
)
