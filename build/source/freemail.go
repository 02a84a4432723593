package source

import (
	"strings"
	"sync"
)

// freeMail lists domains where anyone can get a mailbox, so that an address there proves
// nothing about a company.
var freeMail = sync.OnceValue(func() map[string]bool {
	return wordSet(`
gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr hotmail.it hotmail.es
hotmail.co.uk live.com live.de live.fr live.co.uk msn.com passport.com yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es
yahoo.co.uk yahoo.co.jp yahoo.co.in yahoo.ca yahoo.com.br yahoo.com.ar ymail.com rocketmail.com aol.com aol.de aim.com
icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io
tutamail.com keemail.me gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.fr gmx.us web.de freenet.de t-online.de arcor.de
mail.de email.de posteo.de posteo.net mailbox.org mail.com email.com usa.com consultant.com engineer.com europe.com
zoho.com zohomail.com zohomail.eu fastmail.com fastmail.fm hushmail.com hush.com runbox.com disroot.org riseup.net
yandex.ru yandex.com ya.ru mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru lenta.ru ukr.net i.ua meta.ua
qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn 21cn.com aliyun.com tom.com
naver.com hanmail.net daum.net nate.com rediffmail.com libero.it virgilio.it tiscali.it alice.it tin.it
orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr seznam.cz email.cz centrum.cz post.cz volny.cz
wp.pl o2.pl onet.pl interia.pl op.pl poczta.onet.pl abv.bg mail.bg azet.sk zoznam.sk freemail.hu citromail.hu
bluewin.ch hispeed.ch sapo.pt uol.com.br bol.com.br terra.com.br ig.com.br comcast.net verizon.net att.net
sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com btinternet.com sky.com talktalk.net
virginmedia.com ntlworld.com bigpond.com optusnet.com.au xtra.co.nz shaw.ca rogers.com sympatico.ca telus.net
excite.com lycos.com inbox.com inbox.lv mailfence.com startmail.com countermail.com duck.com simplelogin.com
mailinator.com guerrillamail.com 10minutemail.com yopmail.com trashmail.com temp-mail.org sharklasers.com dispostable.com`)
})

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
