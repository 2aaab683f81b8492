import type { Voice } from '../types.ts'
import { lines, words } from '../words.ts'

/** {thing} and {problem} carry their article and never follow “de” or “à”; {gear} has the indefinite one, {goal} begins with a consonant. */
export const french: Voice = {
  language: 'fr',
  space: ' ',
  colon: ' : ',
  lists: {
    time: words(
      'hier soir, ce matin, samedi, hier, ce week-end, la semaine dernière, avant-hier, après le travail, dimanche après-midi, l’autre jour',
    ),
    span: words('trois semaines, deux mois, presque un an, dix jours, deux ans, six mois, quatre mois, un mois et demi'),
    buddy: words('ma voisine, mon père, un collègue, ma sœur, une amie, mon beau-frère, ma grand-mère, mon fils aîné, un vieil ami'),
    city: words('Nantes, Rennes, Lyon, Liège, Grenoble, Strasbourg, Lausanne, Québec, Lille, Bordeaux, Namur, Toulouse, Genève, Dijon'),
    day: words('lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche'),
    hour: words('10 h, 11 h 30, 14 h, 17 h, 18 h 30, 19 h, 20 h'),
  },
  tags: [' ({where})', ' {where}', ' – après {span}', ' (mise à jour)', ' (partie {2-4})', ' (un peu long, pardon)'],
  askTags: [' – des idées ?', ' (question de débutant)', ' (au secours)', ' – une piste ?'],
  asides: [
    'Bonjour de {city*}.',
    'Écrit {where*}, pardon pour les fautes.',
    '{Buddy*} vous salue.',
    'La suite une autre fois, sur {thing*}.',
    'P.-S. : oui, encore {problem*}.',
    '{@} comprendra.',
  ],
  question: {
    greet: lines(`
      Bonjour à tous,
      Bonjour,
      Bonsoir la compagnie,
      Premier message ici, soyez indulgents.
      Petite question :
      Désolé si le sujet a déjà été traité.`),
    titles: [],
    open: [],
    close: lines(`
      Merci d’avance !
      Merci beaucoup.
      Toute piste est la bienvenue.
      Je peux ajouter des photos si besoin.
      Vous feriez quoi, vous ?
      Bonne journée depuis {city}.
      Ne riez pas trop 🙂`),
    buying: null,
    generic: [
      {
        titles: lines(`
          Comment faites-vous pour {goal} ?
          J’aimerais {goal}, par où commencer ?
          Peut-on vraiment {goal} {where} ?
          Que faut-il vraiment pour {goal} ?`),
        story: lines(`
          Depuis {span*} j’essaie de {goal}, avec un succès [mitigé|variable]. Ce qui bloque le plus : {problem}. Et tout ça {where}, donc les possibilités sont limitées.
          Je voudrais apprendre à {goal}. {Buddy*} dit que c’est très simple, mais je bute toujours sur la même chose : {problem}.`),
        tried: lines(`
          J’ai pas mal lu, mais chacun dit autre chose.
          {Time*} j’ai {did}, au moins c’était amusant.`),
        ask: lines(`
          Qu’est-ce qui a fait la différence chez vous ?
          Par quoi commenceriez-vous ?
          Y a-t-il une astuce qui m’échappe ?`),
        answers: lines(`
          Commence petit. Chez moi, [un peu chaque jour|une seule chose à la fois] a tout changé.
          Sans {gear}, je n’essaierais même plus.
          Règle d’abord un point : {problem}. Le reste suivra.
          Il m’a fallu {span*}. Courage !
          Je fais ça aussi {where}, écris-moi si tu veux.`),
      },
      {
        titles: lines(`
          Faut-il acheter {gear} ?
          {Gear} ou {gear2} ?
          {Gear} d’occasion : bonne idée ?
          {Problem} : que faites-vous ?
          Encore et toujours {problem}`),
        story: lines(`
          J’hésite à acheter {gear}. Jusqu’ici je m’en passais, mais {problem}, j’en ai assez.
          Près de chez moi, quelqu’un vend {gear} à {k=20-180/10} euros. Je m’en servirais surtout {where}.`),
        ask: lines(`
          Vous prendriez ?
          À quoi faut-il faire attention ?
          Besoin ou caprice ?`),
        answers: lines(`
          {k=20-180/10} euros, c’est [correct|un peu cher|une affaire].
          Emprunte avant d’acheter.
          J’ai ça depuis {span*} et je rachèterais sans hésiter.
          Le mien dort à la cave. Viens le chercher 😅
          Ça ne réglera pas ton souci, il vient souvent d’ailleurs.`),
      },
    ],
  },
  show: {
    titles: lines(`
      Enfin, j’ai {did} !
      {Thing}, {span} plus tard
      Petite victoire : j’ai {did}
      Mon week-end : {thing}
      Essai numéro {2-12} : {thing}
      Avant, après : {thing}
      {Thing} {where}, où j’en suis`),
    open: lines(`
      {Time*}, j’ai [enfin |]{did}.
      Après {span*} d’hésitations, j’ai {did}.
      Comme plus personne ne m’écoute à la maison, je le raconte ici : j’ai {did}.
      {Buddy*} m’a convaincu, et voilà, j’ai {did}.
      Certains se souviennent de ma question. Voici la suite :`),
    close: lines(`
      Qu’auriez-vous fait autrement ?
      Les critiques sont les bienvenues.
      Merci à tous ceux qui m’ont aidé, surtout à {@}.
      Prochaine étape : {thing2}.
      Ce n’est pas parfait, mais c’est à moi.
      Les photos arrivent dès qu’il fait meilleur.
      Et maintenant, un café.`),
  },
  tips: {
    titles: lines(`
      {k=3-7} choses que j’aurais aimé savoir plus tôt
      {Thing} : ce que j’ai appris en {span}
      Ma petite liste pour {thing}
      Pour débuter : {thing}
      Mes règles pour {thing}, {where}`),
    open: lines(`
      Comme la question revient chaque semaine, voici ma liste :
      Récolté en {span*}, sans ordre particulier :
      On aurait dû me dire ça au début :
      Inspiré par le message de {@} :`),
    close: lines(`
      Qu’ajouteriez-vous ?
      Si vous faites autrement, racontez.
      J’ai presque tout appris ici, alors merci.
      À vous d’essayer !`),
  },
  opinion: {
    titles: [
      '{claim}',
      '{claim}',
      'Opinion impopulaire : {claim}',
      '« {claim} » : d’accord ?',
      'Je le dis : {claim}',
      'Franchement : {claim}',
    ],
    open: lines(`
      J’y pense depuis quelque temps.
      Je vais me faire des ennemis.
      {Buddy*} et moi en avons parlé {time*} pendant des heures.
      Soyons honnêtes :
      En vous lisant, j’ai remarqué une chose.`),
    because: lines(`
      Je dis ça après {span*} d’essais, {where}.
      Il y a des exceptions, bien sûr : {thing2}, par exemple.
      On me répond toujours la même chose : {problem}. Ça ne me convainc pas.
      J’ai longtemps fait autrement et rien ne me manque.
      {Buddy*} pense le contraire et vit très bien avec.`),
    close: lines(`
      Vous en pensez quoi ?
      Suis-je seul ?
      Prouvez-moi le contraire.
      Curieux de vos expériences.`),
  },
  link: {
    titles: lines(`
      À lire : {resource}
      {Resource}
      Vous connaissez « {resource} » ?
      Trouvé : {resource}
      {Resource}, ça vaut le détour`),
    open: lines(`
      Je suis tombé dessus {time*} :
      {Buddy*} m’a envoyé ceci :
      Pour ceux que ça intéresse, {thing} et le reste :`),
    sites: ['https://{site}.example.org/{slug}', 'https://www.example.com/{site}/{slug}', 'https://example.org/fr/{slug}'],
    why: lines(`
      Le passage sur {thing} est [excellent|très honnête].
      Je ne suis pas d’accord avec tout, mais ça fait réfléchir.
      Comptez {5-40/5} minutes, bien employées.
      Enfin quelqu’un qui n’a rien à vendre.`),
    close: lines(`
      Qu’en pensez-vous ?
      D’autres lectures du genre ?
      Est-ce que ça correspond à votre expérience ?`),
  },
  event: {
    titles: lines(`
      Rencontre à {city} : {thing}
      Qui vient {day} à {city} ?
      Rendez-vous à {city}, {day}, {hour}
      Une soirée autour d’un thème : {thing}`),
    open: lines(`
      Nous prévoyons une petite rencontre, sans chichis.
      La dernière était si sympathique qu’on recommence.
      {@} et moi aimerions vous rencontrer en vrai.`),
    facts: [
      ['Quand', ['{day}, {hour}', '{day} dans deux semaines, {hour}']],
      ['Où', ['Café de la Gare, {city}', 'Maison des associations, {city}', 'au parc, près de la fontaine']],
      ['À apporter', ['de la bonne humeur et quelque chose à partager', 'rien, tout est sur place', 'vos questions']],
      ['Prix', ['gratuit', '{2-6} euros pour la salle']],
    ],
    close: lines(`
      Dites-nous si vous venez.
      Enfants et chiens bienvenus.
      Qui est partant ? ✋`),
  },
  announcement: {
    notices: [
      {
        titles: ['Bienvenue aux nouveaux ({2-40}e tournée)', 'Les règles, en bref', 'Nous sommes {k=100-900} !'],
        bodies: [
          'Ravis de vous voir ! Présentez-vous si le cœur vous en dit. Trois choses rendent cet endroit agréable : **rester aimable**, **donner le contexte** d’une question et **dire ce qui a marché** à la fin.',
        ],
      },
      {
        titles: ['Thème du mois : {thing}'],
        bodies: [
          'À partir de la semaine prochaine, un thème par mois. Le premier : **{thing}**. Racontez tout, même ce qui a raté. Les idées pour la suite, en commentaire.',
        ],
      },
      {
        titles: ['On cherche un coup de main'],
        bodies: ['Nous cherchons quelqu’un pour aider à modérer, {10-30/5} minutes par jour. Si ça vous tente, un message à {@}.'],
      },
    ],
    close: ['L’équipe', 'Des questions ? Juste en dessous.', 'Bonne semaine à tous !'],
  },
  poll: {
    titles: ['', '', 'Sondage : ', 'Petit sondage : ', 'Sondage de la semaine ({2-99}) : '],
    open: lines(`
      Nous n’étions pas d’accord {time*}, alors comptons.
      Par pure curiosité, il n’y a pas de mauvaise réponse.
      Votez et dites-nous pourquoi.`),
    close: ['Les raisons en commentaire !', 'Résumé dans une semaine.', ''],
  },
  hello: {
    titles: lines(`
      Bonjour depuis {city} !
      Nouveau ici
      Je me présente ({city})
      Un salut depuis {city}`),
    bodies: lines(`
      Bonjour ! Je lis depuis {span*} et il était temps de dire bonjour. J’ai {24-68} ans, j’habite à {city}, et mon truc, c’est {thing}. Au plaisir d’échanger !
      Bonjour depuis {city}. {Buddy*} m’a parlé de cet endroit. Je n’y connais pas grand-chose, mais j’aimerais {goal}. Soyez patients !
      En bref : {city}, {24-68} ans, deux enfants, peu de temps. {Thing}, c’est ma soupape 👋`),
  },
  status: lines(`
    {Time*} j’ai {did}. [Voilà, c’est tout.|Il fallait que je le dise.]
    Jour {2-60} : j’essaie toujours de {goal}. [Aucune idée.|Ça vient.|Aujourd’hui, déclic !]
    Bonjour depuis {city} ! Quel est le programme chez vous ?
    {Buddy*} m’a demandé ce que j’y trouve. J’ai parlé {20-90/5} minutes.
    Appris aujourd’hui : {tip*}
    Merci à {@} pour le conseil. Ça marche !
    Moi : je n’ai besoin de rien. Moi aussi, {time*} : {gear} dans le panier 🛒`),
  replies: {
    short: lines(`
      Merci !
      Merci, {op} !
      Magnifique !
      Exactement.
      Pareil ici.
      👍
      ❤️
      Félicitations ! 🎉
      Bon courage !
      Je garde.
      Ha, je connais 😄
      Bonne question.
      Et alors, la suite ?
      Intéressant !
      Bravo.
      Je vais essayer.
      Tellement vrai.
      Chapeau.`),
    any: lines(`
      Je l’ai lu deux fois et j’essaie {day*}.
      Je n’avais jamais vu {thing} comme ça.
      Chez moi, après {span*}, c’est exactement l’inverse.
      Tu peux en dire plus sur {thing} ?
      {Buddy*} fait comme ça et ne jure que par ça.
      Ça dépend. {Where*}, je [ferais pareil|réfléchirais].
      Ça marche aussi {where*} ?
      {@} en sait peut-être plus.
      C’est pour ça que j’aime cet endroit.
      Même galère : {problem*}, {where}.
      Il y a eu un fil là-dessus, cherche un peu, ça vaut le coup.
      Une photo, s’il te plaît !
      Combien de temps au final ?
      La première partie, oui ; la seconde, je suis moins sûr.
      À mettre dans la liste de liens.`),
    lead: ['', '', 'D’expérience :', 'Ma règle :', 'En bref :', 'Mon grain de sel :', 'C’est {buddy*} qui m’a appris ça :'],
    question: lines(`
      Même chose il y a {span*}. Patience.
      Qu’as-tu essayé exactement ?
      Je parierais sur une chose : {problem*}.
      Tu as une photo ? Difficile à dire comme ça.
      Aucune idée, mais je suis le fil.
      Ne change qu’une chose à la fois.
      Demande à {@}, qui a connu le même souci.`),
    show: lines(`
      C’est superbe !
      Tu peux être fier.
      Combien de temps ?
      Mon premier essai était bien pire.
      Ça donne envie !
      D’autres photos, s’il te plaît 📷
      Et {where}, en plus ! Chapeau.`),
    tips: lines(`
      Le point {1-3} est trop sous-estimé.
      J’ajouterais : {tip*}
      On peut l’épingler ?
      Imprimé et affiché.
      Tout est juste, et j’en oublie toujours la moitié.`),
    opinion: lines(`
      Entièrement d’accord.
      Pas d’accord, mais bien argumenté.
      Je pensais ça aussi, avant.
      La vérité est entre les deux.
      Tu dis ça maintenant. Attends {span*}.`),
    event: lines(`
      J’en suis !
      Nous serons deux.
      Dommage, je ne suis pas là. La prochaine fois !
      Il reste de la place ?
      On peut arriver plus tard ?
      J’apporte un gâteau.`),
    hello: lines(`
      Bienvenue !
      Bienvenue, {op} ! 👋
      Salutations depuis {city*} !
      Content de te voir ici.
      Encore quelqu’un qui vient de {city} !`),
    back: lines(`
      {op} merci, je vais faire ça.
      {op} bien vu.
      {op} c’est ce que je voulais dire.
      {op} je ne le vois pas tout à fait ainsi.
      C’est vrai, j’avais oublié.
      {op} tu as trouvé ça où ?
      😄
      {op} chez moi ça n’a rien donné, hélas.
      {op} alors à {day*} !
      J’aurai appris quelque chose.
      {op} ça mérite un message à part.`),
    solved: [
      'Mise à jour : ça a marché ! 🙏',
      '{op} j’essaie {day*} et je vous dis.',
      'Je n’y avais pas pensé, merci {op}.',
      '{op} déjà essayé, sans succès.',
      '{op} depuis quelques semaines, je crois.',
      'Finalement c’était ce que disait {op}. Merci !',
    ],
    author: lines(`
      {op} 😂
      {op} c’est très gentil.
      Bon, vous m’avez convaincu.
      {op} c’est vrai.
      Vous êtes formidables.
      Merci à tous, que d’idées !
      {op} bonne question. Environ {2-9} heures, pauses comprises.
      Les photos arrivent, promis.
      {op} oui, {where}.`),
  },
  bios: lines(`
    {Hobby}, {hobby2} et trop de café.
    De {city}. Ici pour apprendre.
    Je lis plus que je n’écris.
    Débutant éternel, toujours curieux.
    {Hobby} depuis {1990-2022}.
    {City}, deux chats, beaucoup de livres.`),
}
