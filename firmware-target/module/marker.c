// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/irq_marker: a GPIO line that is high while this CPU has interrupts off,
 * for a logic analyzer to see. One line, so meant for one CPU.
 */
#include <linux/gpio/consumer.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "rig_target.h"

static char *marker_chip;
module_param(marker_chip, charp, 0444);
MODULE_PARM_DESC(marker_chip, "label of the GPIO chip of the marker, as in /sys/class/gpio/gpiochip*/label");

static int marker_line = -1;
module_param(marker_line, int, 0444);
MODULE_PARM_DESC(marker_line, "line of that chip");

/* Read at each edge; written with the mutex held. */
bool rig_marker_armed __read_mostly;

static DEFINE_MUTEX(rig_marker_lock);
static struct gpio_desc *rig_marker_pin;

/*
 * Called with interrupts off, maybe before RCU watches: the line's driver may do
 * no more than write a register here, which is why sleeping ones are refused.
 */
notrace void __rig_marker_set(int value)
{
	if (!in_nmi())
		gpiod_set_raw_value(rig_marker_pin, value);
}

static void rig_marker_arm(bool arm)
{
	mutex_lock(&rig_marker_lock);
	WRITE_ONCE(rig_marker_armed, arm);
	if (!arm)
		gpiod_set_raw_value(rig_marker_pin, 0);
	mutex_unlock(&rig_marker_lock);
}

static int rig_marker_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "armed: %d\n", READ_ONCE(rig_marker_armed));
	seq_printf(m, "pin_cpu0: %s %d\n", marker_chip, marker_line);
	return 0;
}

static int rig_marker_open(struct inode *inode, struct file *file)
{
	return single_open(file, rig_marker_show, NULL);
}

static ssize_t rig_marker_write(struct file *file, const char __user *ubuf, size_t count,
				loff_t *ppos)
{
	unsigned int arm;
	int err;

	err = kstrtouint_from_user(ubuf, count, 10, &arm);
	if (err)
		return err;
	if (arm > 1)
		return -EINVAL;

	rig_marker_arm(arm);
	return count;
}

static const struct proc_ops rig_marker_ops = {
	.proc_open	= rig_marker_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_write	= rig_marker_write,
	.proc_release	= single_release,
};

int __init rig_marker_init(void)
{
	struct gpio_desc *pin;

	if (!marker_chip)
		return 0;
	pin = rig_request_line(marker_chip, marker_line);
	if (IS_ERR(pin)) {
		pr_err("rig_target: no GPIO line %d on a chip labelled '%s' (%ld)\n",
		       marker_line, marker_chip, PTR_ERR(pin));
		return PTR_ERR(pin);
	}
	if (gpiod_cansleep(pin)) {
		pr_err("rig_target: the lines of '%s' sleep, a marker cannot\n", marker_chip);
		rig_free_line(pin);
		return -EINVAL;
	}
	rig_marker_pin = pin;
	if (!proc_create("irq_marker", 0644, NULL, &rig_marker_ops)) {
		rig_free_line(pin);
		rig_marker_pin = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* After the hooks are gone. */
void rig_marker_exit(void)
{
	if (!rig_marker_pin)
		return;
	remove_proc_entry("irq_marker", NULL);
	gpiod_set_raw_value(rig_marker_pin, 0);
	rig_free_line(rig_marker_pin);
}
