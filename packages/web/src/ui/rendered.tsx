import style from './rendered.module.css'

/** A text that the server has rendered: safe HTML, by its sanitiser and by the policy of this page, which lets no script of it run. */
export const Rendered = ({ html, className = '' }: { readonly html: string; readonly className?: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the API gives out sanitised HTML alone
  <div dir="auto" className={`${style.rendered} ${className}`} dangerouslySetInnerHTML={{ __html: html }} />
)
