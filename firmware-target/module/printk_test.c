// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/printk_test: prints records of known length and says how long each
 * printk() took, by the clock and in ticks. Grammar: firmware-target/README.md.
 *
 * A module cannot hook sync(2): "sync" is written to the file instead.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "rig_target.h"

#define PRINTK_TEST_VERSION	1

#define NONCE_MAX		16	/* characters */
#define TEXT_MAX		900	/* characters, below printk's own limit */
#define COUNT_MAX		1000

/* Characters on a console that shows times, prefix and CR LF included. */
#define SYNC_LONG_RECORD	274
#define SYNC_SHORT_RECORD	70
#define LINE_END		2

/* Ticks for which interrupts are held off to see what becomes of jiffies. */
#define PROBE_TICKS		6

static const char filler[] =
	"goes the slow way to a serial console, a character at a time, while "
	"the processor that sends it hears of nothing else; it ";

/* Serialises those who print; protects the nonce and the text. */
static DEFINE_MUTEX(printk_test_lock);
static char printk_test_nonce[NONCE_MAX + 1] = "00000000";
static char printk_test_text[TEXT_MAX + 1];

static u64 printk_test_step;

/* What the probe at load found. */
static enum { TICKS_UNKNOWN, TICKS_LOST, TICKS_CAUGHT_UP } tick_model;
static int tick_cpu;

struct printk_test_request {
	char		nonce[NONCE_MAX + 1];	/* empty: not given */
	unsigned int	length;			/* 0: not given */
	unsigned int	count;			/* 0: not given */
	bool		sync;
};

/* Makes the text "<word> <nonce> <filler...>" of exactly @length characters. */
static void printk_test_compose(const char *word, unsigned int length)
{
	char *text = printk_test_text;
	unsigned int at, i;

	at = scnprintf(text, sizeof(printk_test_text), "%s %s ", word, printk_test_nonce);
	if (at >= length)
		return;
	for (i = 0; at < length; i++)
		text[at++] = filler[i % strlen(filler)];
	/* No reader of a log shall lose the last character to trimming. */
	if (text[length - 1] == ' ')
		text[length - 1] = '.';
	text[length] = '\0';
}

static void printk_test_print(void)
{
	unsigned long jiffies_before, jiffies_after;
	u64 before, after;

	jiffies_before = jiffies;
	before = rig_clock();
	printk(KERN_ERR "%s\n", printk_test_text);
	after = rig_clock();
	jiffies_after = jiffies;

	printk(KERN_ERR "interval=%llu, jiffies=%lu\n", after - before,
	       jiffies_after - jiffies_before);
}

static void printk_test_print_record(const char *word, unsigned int record)
{
	u32 ns;
	u64 sec = div_u64_rem(rig_clock(), NSEC_PER_SEC, &ns);
	unsigned int prefix = snprintf(NULL, 0, "[%5llu.%06u] ", sec, ns / 1000);

	printk_test_compose(word, record - prefix - LINE_END);
	printk_test_print();
}

static int printk_test_number(const char *value, unsigned int max, unsigned int *number)
{
	if (*number || kstrtouint(value, 10, number) || !*number || *number > max)
		return -EINVAL;
	return 0;
}

static int printk_test_set_nonce(const char *value, struct printk_test_request *req)
{
	size_t length = strlen(value);

	if (*req->nonce || !length || length > NONCE_MAX ||
	    strspn(value, "0123456789abcdef") != length)
		return -EINVAL;
	strscpy(req->nonce, value, sizeof(req->nonce));
	return 0;
}

static int printk_test_pair(char *key, struct printk_test_request *req)
{
	char *value = strchr(key, '=');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (!strcmp(key, "nonce"))
		return printk_test_set_nonce(value, req);
	if (!strcmp(key, "length"))
		return printk_test_number(value, TEXT_MAX, &req->length);
	if (!strcmp(key, "count"))
		return printk_test_number(value, COUNT_MAX, &req->count);
	return -EINVAL;
}

static int printk_test_parse(char *text, struct printk_test_request *req)
{
	char *key;

	while ((key = strsep(&text, " \t\n"))) {
		int err = 0;

		if (!strcmp(key, "sync"))
			req->sync = true;
		else if (*key)
			err = printk_test_pair(key, req);
		if (err)
			return err;
	}
	if (req->sync)
		return req->length || req->count ? -EINVAL : 0;
	return !req->length && (req->count || !*req->nonce) ? -EINVAL : 0;
}

static int printk_test_print_many(unsigned int length, unsigned int count)
{
	printk_test_compose("test", length);
	while (count--) {
		printk_test_print();
		if (signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

/* Called with the lock held. */
static int printk_test_run(const struct printk_test_request *req)
{
	const char *nonce = *req->nonce ? req->nonce : printk_test_nonce;

	if (req->length && req->length < strlen("test ") + strlen(nonce) + 1)
		return -EINVAL;
	if (*req->nonce)
		strscpy(printk_test_nonce, req->nonce, sizeof(printk_test_nonce));
	if (req->sync) {
		printk_test_print_record("test", SYNC_LONG_RECORD);
		printk_test_print_record("short", SYNC_SHORT_RECORD);
	}
	return req->length ? printk_test_print_many(req->length, req->count ?: 1) : 0;
}

static ssize_t printk_test_write(struct file *file, const char __user *ubuf, size_t size,
				 loff_t *ppos)
{
	struct printk_test_request req = { };
	char buf[128];
	int err;

	if (size >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, size))
		return -EFAULT;
	buf[size] = '\0';

	err = printk_test_parse(buf, &req);
	if (err)
		return err;

	if (mutex_lock_interruptible(&printk_test_lock))
		return -EINTR;
	err = printk_test_run(&req);
	mutex_unlock(&printk_test_lock);
	return err ? err : size;
}

static int printk_test_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "version: %d\n", PRINTK_TEST_VERSION);
	seq_printf(m, "hz: %d\n", HZ);
	seq_printf(m, "jiffies: %lu\n", jiffies);
	seq_printf(m, "sched_clock_ns: %llu\n", rig_clock());
	seq_printf(m, "sched_clock_step_ns: %llu\n", printk_test_step);
	if (tick_model != TICKS_UNKNOWN) {
		seq_printf(m, "tick_model: %s\n",
			   tick_model == TICKS_LOST ? "one_per_interrupt" : "catch_up");
		seq_printf(m, "tick_cpu: %d\n", tick_cpu);
	}
	mutex_lock(&printk_test_lock);
	seq_printf(m, "nonce: %s\n", printk_test_nonce);
	mutex_unlock(&printk_test_lock);
	seq_puts(m, "printk_time_clock: " RIG_PRINTK_TIME_CLOCK "\n");
	return 0;
}

static int printk_test_open(struct inode *inode, struct file *file)
{
	return single_open(file, printk_test_show, NULL);
}

static const struct proc_ops printk_test_ops = {
	.proc_open	= printk_test_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_write	= printk_test_write,
	.proc_release	= single_release,
};

static void spin_until(u64 end)
{
	while (rig_clock() < end)
		cpu_relax();
}

/*
 * A module may not ask the tick device, so it tries: interrupts are off for some
 * ticks, then on for two. Where jiffies went on meanwhile another CPU counts
 * them, and nothing is known of what a late tick of this one would do.
 */
static void __init probe_ticks(void)
{
	unsigned long before, off, after, flags;
	u64 start;

	migrate_disable();
	tick_cpu = raw_smp_processor_id();
	before = jiffies;
	start = rig_clock();
	local_irq_save(flags);
	spin_until(start + PROBE_TICKS * TICK_NSEC);
	off = jiffies - before;
	local_irq_restore(flags);
	spin_until(start + (PROBE_TICKS + 2) * TICK_NSEC);
	after = jiffies - before;
	migrate_enable();

	if (off > 1)
		tick_model = TICKS_UNKNOWN;
	else if (after >= PROBE_TICKS)
		tick_model = TICKS_CAUGHT_UP;
	else if (after <= PROBE_TICKS / 2 + 1)
		tick_model = TICKS_LOST;
}

int __init rig_printk_test_init(void)
{
	printk_test_step = rig_clock_step();
	probe_ticks();
	return proc_create("printk_test", 0644, NULL, &printk_test_ops) ? 0 : -ENOMEM;
}

void rig_printk_test_exit(void)
{
	remove_proc_entry("printk_test", NULL);
}
