import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import style from './search-box.module.css'

/** Debounce while typing. */
const PAUSE_MS = 300

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The search field of a list. */
export const SearchBox = ({ label, value, onChange }: Props) => {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  useEffect(() => {
    // The URL changed from outside, such as by the back button.
    if (value !== sent.current) {
      sent.current = value
      setText(value)
    }
  }, [value])
  const router = useRouter()
  const page = useRef(router.latestLocation.pathname)
  useEffect(() => {
    if (text.trim() === sent.current) return
    const timer = setTimeout(() => {
      // A pending search must not navigate back after the user opened a result.
      if (router.latestLocation.pathname !== page.current) return
      sent.current = text.trim()
      tell.current(sent.current)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, router])
  return (
    <search className={style.box}>
      <Search aria-hidden="true" />
      <input type="search" aria-label={label} placeholder={label} value={text} onChange={(event) => setText(event.currentTarget.value)} />
    </search>
  )
}
