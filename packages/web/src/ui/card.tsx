import type { ComponentPropsWithRef } from 'react'
import style from './card.module.css'

/** A sheet on the page. */
export const Card = ({ className = '', ...rest }: ComponentPropsWithRef<'section'>) => (
  <section {...rest} className={`${style.card} ${className}`} />
)
