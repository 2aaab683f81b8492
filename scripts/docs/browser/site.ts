import { startSearch } from './search.ts'
import { startVersions } from './versions.ts'

const root = document.documentElement

/** The navigation is beside the text on wide screens, and behind this button on narrow ones. */
const menu = document.querySelector<HTMLButtonElement>('button.menu')
menu?.addEventListener('click', () => {
  menu.setAttribute('aria-expanded', String(root.classList.toggle('menu-open')))
})

document.querySelector('button.theme')?.addEventListener('click', () => {
  const current = root.style.colorScheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  root.style.colorScheme = current === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem('theme', root.style.colorScheme)
  } catch {
    // The choice lasts for this page.
  }
})

/** The current page is visible in a long navigation. */
const current = document.querySelector('#navigation [aria-current]')
const navigation = document.querySelector<HTMLElement>('#navigation')
if (current && navigation) navigation.scrollTop = current.getBoundingClientRect().top - navigation.getBoundingClientRect().top - 120

// The keyboard scrolls what has the focus.
for (const wide of document.querySelectorAll<HTMLElement>('pre, .table')) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0

startSearch()
void startVersions()
