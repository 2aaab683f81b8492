import { ExternalLink } from 'lucide-react'
import type { PreviewView } from './meta.ts'
import style from './post.module.css'

/** A link preview. The site name comes from the URL, because the preview data can be forged. */
export const LinkCard = ({ preview: { url, title, description } }: { readonly preview: PreviewView }) => (
  <a className={style.preview} href={url} rel="noopener nofollow ugc" target="_blank">
    <strong>{title || url}</strong>
    {description && <span className={style.previewText}>{description}</span>}
    <span className={style.previewSite}>
      <ExternalLink aria-hidden="true" /> {new URL(url).hostname.replace(/^www\./, '')}
    </span>
  </a>
)
