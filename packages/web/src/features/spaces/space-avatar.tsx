import { pictureUrl } from '../../lib/pictures.ts'
import style from './space-avatar.module.css'

interface Props {
  readonly space: { readonly title: string; readonly logo: string }
  readonly emoji: string
  readonly size?: 'small' | 'medium' | 'large'
}

/** A space's logo, emoji, or the first letter of its title. */
export const SpaceAvatar = ({ space, emoji, size = 'medium' }: Props) => (
  <span className={`${style.picture} ${style[size]}`} aria-hidden="true">
    {space.logo ? <img src={pictureUrl(space.logo)} alt="" loading="lazy" /> : emoji || [...space.title][0]?.toUpperCase()}
  </span>
)
