/**
 * Runs first in each page and frame: installs canaries in place of the functions that payloads call, and the functions that insert values
 * like a web app, interact with every element, and print trees. Results are written to the console in lines that begin with `xss `.
 */
export const IN_PAGE = `(() => {
  const tell = (what, detail, item = '') => console.debug('xss ' + JSON.stringify([what, String(detail), String(item)]))
  const boxOf = node => {
    const box = node && node.closest ? node.closest('[data-item]') : null
    return box ? box.dataset.item : ''
  }
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'msgbox', '__ran'])
    window[name] = (...given) => tell('ran', name + '(' + given.join() + ')', boxOf(document.currentScript || (window.event && window.event.target)))
  document.addEventListener('securitypolicyviolation', event => {
    tell('violation', event.effectiveDirective + ' ' + event.blockedURI.slice(0, 100), boxOf(event.target))
  })
  const scheme = node => String((node.href && node.href.baseVal !== undefined ? node.href.baseVal : node.href) || '').replace(/[\\u0000-\\u0020]/g, '').toLowerCase()
  const acts = text => /^(javascript|vbscript|data|blob|filesystem):/.test(text)
  document.addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('a, area')
    if (link && !acts(scheme(link))) event.preventDefault()
  }, true)
  document.addEventListener('submit', event => { if (!acts(event.target.getAttribute('action') || '')) event.preventDefault() }, true)

  const EVENTS = ('abort animationend animationiteration animationstart auxclick beforeinput beforetoggle begin blur cancel canplay change close ' +
    'contextmenu copy cuechange cut dblclick drag dragend dragenter dragleave dragover dragstart drop end error finish focus focusin focusout ' +
    'formdata input invalid keydown keypress keyup load loadeddata loadedmetadata loadstart mousedown mouseenter mouseleave mousemove ' +
    'mouseout mouseover mouseup paste pause play playing pointerdown pointerenter pointerleave pointermove pointerout pointerover ' +
    'pointerup progress repeat reset resize scroll scrollend search select selectstart show slotchange start toggle touchstart ' +
    'transitionend transitionstart unload wheel').split(' ')
  const act = async root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.localName === 'details' || element.localName === 'dialog') element.open = true
      if (element.content && element.content.querySelectorAll) await act(element.content)
      // What has no attribute has no handler either.
      if (!element.hasAttributes()) continue
      for (const name of EVENTS) element.dispatchEvent(new Event(name, { cancelable: true }))
      if (element.click) element.click()
      else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
      if (element.requestSubmit) try { element.requestSubmit() } catch {}
      // Where a link leads, another one would keep it from leading.
      if (acts(scheme(element))) for (let i = 0; i < 3; i++) await new Promise(done => setTimeout(done))
    }
  }
  /** What could act, whether or not it just did. */
  const inspect = (root, item) => {
    for (const element of root.querySelectorAll('*')) {
      for (const name of element.getAttributeNames()) if (/^on/i.test(name)) tell('could', element.localName + ' ' + name, item)
      if (acts(scheme(element))) tell('could', element.localName + ' leads to ' + scheme(element).slice(0, 40), item)
      if (/^(script|iframe|frame|object|embed|base|meta|link|form|template|applet)$/.test(element.localName)) tell('could', element.localName, item)
    }
  }
  const add = (box, name, attributes = {}, text = '') => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    if (text) element.textContent = text
    box.append(element)
    return element
  }
  const PUT = {
    html(box, value, item) {
      const first = add(box, 'div')
      first.innerHTML = value
      const second = add(box, 'div')
      second.innerHTML = first.innerHTML
      const third = add(box, 'div')
      third.innerHTML = second.innerHTML
      if (third.innerHTML !== second.innerHTML) tell('changes when it is read again', value.slice(0, 300), item)
      inspect(box, item)
    },
    drawing(box, value, item) {
      add(box, 'div').innerHTML = value
      inspect(box, item)
    },
    text(box, value) {
      add(box, 'p', { title: value, id: value, 'aria-label': value, 'data-x': value }, value)
      add(box, 'img', { alt: value, title: value })
      add(box, 'input', { value, placeholder: value, name: value })
      add(box, 'textarea', {}, value)
      add(box, 'option', { label: value }, value)
    },
    address(box, value, item) {
      add(box, 'a', { href: value, rel: 'nofollow noopener' }, 'x')
      add(box, 'img', { src: value })
      inspect(box, item)
    },
    style(box, value) {
      add(box, 'style', {}, value)
    },
  }
  window.__xss = {
    put(items) {
      for (const { item, kind, value } of items) {
        const box = add(document.body, 'section', { 'data-item': item })
        PUT[kind](box, value, item)
      }
    },
    act: () => act(document),
    inspect: () => { for (const box of document.querySelectorAll('[data-item]')) inspect(box, box.dataset.item) },
    /** Until pictures have come to nothing and what two frames bring has happened. */
    async settle() {
      await Promise.all([...document.images].filter(image => image.src && !image.complete).map(image => new Promise(done => {
        image.addEventListener('load', done)
        image.addEventListener('error', done)
      })))
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)
    },
    /** Values whose tree, wherever they are put, is not the one that is written in them. */
    trees(values) {
      const show = node => {
        if (node.nodeType === 3) return JSON.stringify(node.data)
        if (node.nodeType !== 1) return '<' + node.nodeType + '>'
        const names = node.getAttributeNames().sort()
        return '(' + node.localName + names.map(name => ' ' + name + '=' + JSON.stringify(node.getAttribute(name))).join('') + children(node) + ')'
      }
      const children = node => {
        node.normalize()
        return [...node.childNodes].map(one => ' ' + show(one)).join('')
      }
      const places = {
        body: value => { const place = document.createElement('div'); place.innerHTML = value; return place },
        cell: value => { const place = document.createElement('td'); place.innerHTML = value; return place },
        template: value => { const place = document.createElement('template'); place.innerHTML = value; return place.content },
        page: value => new DOMParser().parseFromString('<!doctype html><body><div>' + value + '</div>', 'text/html').body.firstChild,
      }
      const loose = tree => tree.replace(/\\(pre "(?:\\\\n)+/g, '(pre "').replace(/\\(pre ""/g, '(pre')
      const wrong = []
      for (const [index, { value, tree }] of values.entries()) {
        for (const [name, build] of Object.entries(places)) {
          const built = build(value)
          const found = children(built)
          if (found !== tree) { wrong.push({ index, place: name, found }); break }
          if (name !== 'body') continue
          const again = children(build(built.innerHTML))
          if (loose(again) !== loose(found)) { wrong.push({ index, place: 'written out and read again', found: again }); break }
        }
      }
      return wrong
    },
  }
})()`
