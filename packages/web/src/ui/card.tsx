import type { ComponentPropsWithRef } from 'react'
import style from './card.module.css'

export const Card = ({ className = '', ...rest }: ComponentPropsWithRef<'section'>) => (
  <section {...rest} className={`${style.card} ${className}`} />
)
